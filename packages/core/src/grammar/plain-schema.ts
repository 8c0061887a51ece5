// Simplifies a schema for sampling engines: it has only keywords that all of them know, references point into its own
// `$defs`, and keys that are not named are not allowed. What was left out is listed in the limits.

import type { JsonSchema } from '../model/conversation.js';
import { UsageError } from '../model/errors.js';
import { isObject, type JsonObject, type JsonValue } from '../model/json.js';
import { namedTypes, type OptionalSchema, resolveRef } from '../schema/schema.js';
import { patternRule } from './pattern-rules.js';
import type { RuleBook } from './rule-book.js';
import { ANNOTATIONS } from './schema-variants.js';
import { formatRule, jsonString } from './string-rules.js';

const MAX_NODES = 5_000;
const KEPT = new Set([
  ...['const', 'enum', 'required', 'minItems', 'maxItems', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);
const LISTS = new Set(['anyOf', 'allOf', 'prefixItems']);

/** `roots`: embedded schemas whose references are relative to themselves, such as the parameters of a tool. */
export function plainSchema(
  schema: OptionalSchema,
  book: RuleBook,
  root: OptionalSchema = schema,
  roots: readonly OptionalSchema[] = [],
): JsonObject {
  const copy = new SchemaCopy(book, new Set<object>(roots.filter((one) => isObject(one)) as object[]));
  const plain = copy.of(schema, root);
  const defs = copy.finish();
  return Object.keys(defs).length > 0 ? { ...plain, $defs: defs } : plain;
}

class SchemaCopy {
  #nodes = 0;
  readonly #defs: JsonObject = {};
  readonly #names = new Map<object, string>();
  readonly #queue: { name: string; schema: JsonSchema; root: OptionalSchema }[] = [];

  constructor(
    readonly book: RuleBook,
    readonly roots: ReadonlySet<object>,
  ) {}

  /** Copies the targets of references from a queue, because a schema may refer back to itself. */
  finish(): JsonObject {
    for (const { name, schema, root } of this.#queue) this.#defs[name] = this.of(schema, root);
    return this.#defs;
  }

  of(schema: OptionalSchema, root: OptionalSchema): JsonObject {
    if (++this.#nodes > MAX_NODES)
      throw new UsageError(
        'grammar-too-large',
        `the schemas of these tools have more than ${MAX_NODES} parts; give fewer tools, or simpler schemas`,
      );
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    const from = this.roots.has(schema) ? schema : root;
    const out: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) this.#keyword(out, keyword, value, from);
    if (out.properties !== undefined && out.additionalProperties === undefined)
      out.additionalProperties = false;
    return schema.nullable === true ? { anyOf: [out, { type: 'null' }] } : out;
  }

  #keyword(out: JsonObject, keyword: string, value: JsonValue, root: OptionalSchema): void {
    if (ANNOTATIONS.has(keyword) || keyword === 'nullable') return;
    const inner = (part: JsonValue) => this.of(part as JsonSchema, root);
    if (keyword === 'type') this.#type(out, value);
    else if (keyword === '$ref') this.#ref(out, value, root);
    else if (keyword === 'properties' && isObject(value)) out.properties = this.#properties(value, root);
    else if (LISTS.has(keyword) && Array.isArray(value)) out[keyword] = value.map(inner);
    else if (keyword === 'oneOf' && Array.isArray(value)) this.#oneOf(out, value.map(inner));
    else if (keyword === 'items' && Array.isArray(value)) out.prefixItems = value.map(inner);
    else if (keyword === 'items') out.items = value === false ? false : inner(value);
    else if (keyword === 'additionalProperties')
      out[keyword] = typeof value === 'boolean' ? value : inner(value);
    else if (keyword === 'pattern') this.#pattern(out, value);
    else if (keyword === 'format') this.#format(out, value);
    else if (KEPT.has(keyword) && typeof value !== 'boolean') out[keyword] = value;
    else if (value !== false)
      this.book.limit(keyword, 'engines do not know it: it is left out of the schema');
  }

  #properties(properties: JsonObject, root: OptionalSchema): JsonObject {
    const out: JsonObject = {};
    for (const [key, property] of Object.entries(properties)) {
      const value = this.book.at(key, () => this.of(property as JsonSchema, root));
      Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return out;
  }

  #type(out: JsonObject, value: JsonValue): void {
    const types = [...(namedTypes(value) ?? [])];
    if (types.length > 0) out.type = types.length === 1 ? (types[0] as string) : types;
  }

  #oneOf(out: JsonObject, branches: JsonObject[]): void {
    if (out.anyOf === undefined) out.anyOf = branches;
    else out.allOf = [...(Array.isArray(out.allOf) ? out.allOf : []), { anyOf: branches }];
  }

  #ref(out: JsonObject, ref: JsonValue, root: OptionalSchema): void {
    const target = resolveRef(ref, root);
    if (!isObject(target)) {
      this.book.limit('$ref', `nothing is found at ${JSON.stringify(ref)}: any value is written`);
      return;
    }
    const name = this.#names.get(target) ?? `d${this.#names.size}`;
    if (!this.#names.has(target)) this.#queue.push({ name, schema: target as JsonSchema, root });
    this.#names.set(target, name);
    out.$ref = `#/$defs/${name}`;
  }

  #pattern(out: JsonObject, value: JsonValue): void {
    if (patternRule(value, jsonString([]))) out.pattern = value;
    else this.book.limit('pattern', 'it is no plain pattern: it is left out of the schema');
  }

  #format(out: JsonObject, value: JsonValue): void {
    if (formatRule(value)) out.format = value;
    else this.book.limit('format', `${String(value)} is left out of the schema`);
  }
}
