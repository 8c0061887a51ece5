// Expands a schema into a list of alternatives: it follows `$ref`, merges `allOf`, and spreads `anyOf` and `oneOf`.
//
//   {type: object, properties: P, anyOf: [{required: [a]}, {required: [b]}]}
//       → {type: object, properties: P, required: [a]}   or   {type: object, properties: P, required: [b]}

import type { JsonSchema } from '../model/conversation.js';
import { isObject, type JsonObject, type JsonValue } from '../model/json.js';
import { namedTypes, type OptionalSchema, resolveRef, typeOfValue } from '../schema/schema.js';
import type { RuleBook } from './rule-book.js';

const MAX_DEPTH = 24;
const MAX_VARIANTS = 100;

/** Gives the alternatives of a schema. Empty: no value satisfies it. */
export function variantsOf(
  schema: OptionalSchema,
  root: OptionalSchema,
  book: RuleBook,
  depth = 0,
): JsonObject[] {
  if (schema === false) return [];
  if (!isObject(schema)) return [{}];
  if (depth > MAX_DEPTH) {
    book.limit('$ref', 'it leads back to itself, or nests too deep: any value is written');
    return [{}];
  }
  if (isPlain(schema as JsonObject)) return [schema as JsonObject];
  const { $ref, allOf, anyOf, oneOf, nullable, ...own } = schema as JsonObject;
  const inner = (part: unknown) => variantsOf(part as JsonSchema, root, book, depth + 1);
  let list: JsonObject[] = [own];
  if ($ref !== undefined) list = crossed(list, refVariants($ref, root, book, depth), book);
  for (const part of Array.isArray(allOf) ? allOf : []) list = crossed(list, inner(part), book);
  for (const branches of [anyOf, oneOf])
    if (Array.isArray(branches) && branches.length > 0) list = crossed(list, branches.flatMap(inner), book);
  if (Array.isArray(oneOf)) noteOneOf(oneOf.flatMap(inner), book);
  return nullable === true ? [...list, { type: 'null' }] : list;
}

/** Whether the schema is its only alternative. */
function isPlain(schema: JsonObject): boolean {
  for (const keyword in schema) if (SPREAD.has(keyword)) return false;
  return true;
}

const SPREAD = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'nullable']);

function refVariants(ref: JsonValue, root: OptionalSchema, book: RuleBook, depth: number): JsonObject[] {
  const target = resolveRef(ref, root);
  if (target === undefined)
    book.limit('$ref', `nothing is found at ${JSON.stringify(ref)}: any value is written`);
  return variantsOf(target, root, book, depth + 1);
}

function crossed(left: JsonObject[], right: JsonObject[], book: RuleBook): JsonObject[] {
  if (left.length * right.length > MAX_VARIANTS) {
    book.limit('anyOf', `more than ${MAX_VARIANTS} combinations of alternatives: only the first are written`);
  }
  const pairs = left.flatMap((a) => right.map((b) => [a, b] as const)).slice(0, MAX_VARIANTS);
  return pairs.map(([a, b]) => merged(a, b, book)).filter((one) => one !== undefined);
}

/** Reports `oneOf`, which is treated as `anyOf`, unless its alternatives exclude each other. */
function noteOneOf(branches: JsonObject[], book: RuleBook): void {
  const types = branches.map((branch) => [...(namedTypes(branch.type) ?? [])]);
  const all = types.flat();
  if (types.every((list) => list.length > 0) && new Set(all).size === all.length) return;
  const consts = branches.map((branch) => discriminator(branch));
  if (consts.every((one) => one !== undefined) && new Set(consts).size === consts.length) return;
  book.limit('oneOf', 'a value may satisfy several of the alternatives');
}

function discriminator(branch: JsonObject): string | undefined {
  if (branch.const !== undefined) return JSON.stringify(branch.const);
  if (!isObject(branch.properties)) return undefined;
  for (const [key, property] of Object.entries(branch.properties))
    if (isObject(property) && property.const !== undefined) return `${key}:${JSON.stringify(property.const)}`;
  return undefined;
}

// --- merging -------------------------------------------------------------------------------------------

const LARGEST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const SMALLEST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** Merges two schemas into one that requires both; undefined if no value satisfies both. */
function merged(a: JsonObject, b: JsonObject, book: RuleBook): JsonObject | undefined {
  const out: JsonObject = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    const other = out[keyword];
    if (other === undefined || same(other, value)) out[keyword] = value;
    else {
      const both = mergeKeyword(keyword, other, value, book);
      if (both === undefined) return undefined;
      out[keyword] = both;
    }
  }
  return out;
}

function mergeKeyword(keyword: string, a: JsonValue, b: JsonValue, book: RuleBook): JsonValue | undefined {
  if (keyword === 'type') return commonTypes(a, b);
  if (keyword === 'enum') return commonValues(a, b);
  if (keyword === 'const') return undefined;
  if (keyword === 'properties' && isObject(a) && isObject(b)) return mergeProperties(a, b);
  if (keyword === 'required' && Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])];
  if (keyword === 'items') return { allOf: [a, b] };
  if (keyword === 'additionalProperties') return a === false || b === false ? false : { allOf: [a, b] };
  if (LARGEST.has(keyword)) return Math.max(Number(a), Number(b));
  if (SMALLEST.has(keyword)) return Math.min(Number(a), Number(b));
  if (!ANNOTATIONS.has(keyword))
    book.limit(keyword, 'it stands in several schemas of allOf: only the first counts');
  return a;
}

export const ANNOTATIONS = new Set([
  ...['title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$schema', '$id', '$defs', 'definitions', '$comment', '$anchor'],
]);

function mergeProperties(a: JsonObject, b: JsonObject): JsonObject {
  const out: JsonObject = { ...a };
  for (const [key, schema] of Object.entries(b)) {
    const value = Object.hasOwn(out, key) ? { allOf: [out[key] as JsonValue, schema] } : schema;
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return out;
}

function commonTypes(a: JsonValue, b: JsonValue): JsonValue | undefined {
  const [left, right] = [namedTypes(a), namedTypes(b)];
  if (!left || !right) return left ? a : b;
  const common = new Set<string>();
  for (const type of left)
    if (right.has(type) || (type === 'integer' && right.has('number'))) common.add(type);
  for (const type of right)
    if (left.has(type) || (type === 'integer' && left.has('number'))) common.add(type);
  return common.size > 0 ? [...common] : undefined;
}

function commonValues(a: JsonValue, b: JsonValue): JsonValue | undefined {
  if (!Array.isArray(a) || !Array.isArray(b)) return Array.isArray(a) ? a : b;
  const common = a.filter((value) => b.some((other) => same(value, other)));
  return common.length > 0 ? common : undefined;
}

function same(a: JsonValue, b: JsonValue): boolean {
  return a === b || (typeof a === typeof b && JSON.stringify(a) === JSON.stringify(b));
}

/** Whether a value is of a type that the schema names. */
export function fitsType(value: JsonValue, type: JsonValue | undefined): boolean {
  const types = namedTypes(type);
  const own = typeOfValue(value);
  return !types || types.has(own) || (own === 'integer' && types.has('number'));
}
