// A copy of a client's JSON Schema that is safe to run:
// - it has only known keywords of the right shape. Left out are `pattern`, `patternProperties`, `format`
//   (they run regular expressions), `uniqueItems` (quadratic) and dynamic references;
// - it is never stricter than the original: where a keyword was left out below a `not`, `oneOf` or `if`, those are
//   loosened too, because a wrong error would mislead the model;
// - every reference is resolved, and none leads back to itself without going deeper into the value;
// - each visit of the validator to a schema is charged to a budget, which bounds the cost of all checks of a request.

import type { Schema, SchemaDraft } from '@cfworker/json-schema';
import type { JsonSchema } from '../model/conversation.js';
import { isObject, type JsonValue } from '../model/json.js';
import { isSchema, namedTypes, resolveRef } from './schema.js';
import { longestChain, reaching, type SchemaEdge } from './schema-graph.js';

const MAX_NODES = 10_000;
/** The most nested schemas for the same value. Each costs the validator a large stack frame. */
const MAX_IN_PLACE = 128;
/** Visits of the validator, each one to two microseconds, that all checks share where it may see parts often. */
const VISITS = 9000;
/** Elsewhere a check has as many of its own for each part of its value. */
const VISITS_A_PART = 2;
/** One for all: to make an error costs as much as many visits. */
const TOO_MUCH = new Error('too much to check');
/** So many keys, values to compare with, or characters cost the validator as much as a visit. */
const KEYS_A_VISIT = 4;
const VALUES_A_VISIT = 8;
const CHARACTERS_A_VISIT = 256;
/** The engine lists the keys of an object quickly up to about so many. */
const FEW_KEYS = 1000;

/**
 * What checks may still cost, in visits. Those of one request share it, with all answers that are asked for again: what
 * comes beyond it passes unchecked.
 */
export interface CheckBudget {
  left: number;
}

export function createCheckBudget(): CheckBudget {
  return { left: VISITS };
}

export interface SafeSchema {
  node: Schema;
  /** The targets of all `$ref`s, by generated names. */
  lookup: Record<string, Schema>;
  draft: SchemaDraft;
  /** Charges a check to this budget, and to visits of its own, which come first and of which it leaves none. */
  charge<T>(value: JsonValue, budget: CheckBudget, check: () => T): T;
}

export interface UnusableSchema {
  note: string;
}

export function compileSchema(schema: JsonSchema): SafeSchema | UnusableSchema {
  try {
    return new Compiler(schema).compile();
  } catch (error) {
    return { note: `the schema cannot be used, so everything passes: ${(error as Error).message}` };
  }
}

type Source = Record<string, unknown>;

const SCHEMAS = new Set([
  ...['additionalProperties', 'propertyNames', 'unevaluatedProperties', 'not', 'if', 'then', 'else'],
  ...['items', 'additionalItems', 'contains', 'unevaluatedItems'],
]);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const MAPS = new Set(['properties', 'dependentSchemas']);
const NUMBERS = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);
/** Keywords that are always left out, and those that are left out if their shape is wrong. */
const LEFT_OUT = new Set([
  ...['pattern', 'patternProperties', 'format', 'uniqueItems', 'minContains', 'maxContains'],
  ...['$dynamicRef', '$recursiveRef', 'type', 'enum', 'required', 'dependentRequired', 'dependencies'],
  ...[...SCHEMAS, ...LISTS, ...MAPS, ...NUMBERS],
]);
/** Keywords whose schemas apply to the value itself and not to its parts. */
const IN_PLACE = new Set([
  ...['$ref', 'allOf', 'anyOf', 'oneOf'],
  ...['not', 'if', 'then', 'else', 'dependentSchemas'],
]);

class Compiler {
  readonly #nodes = new Map<object, Schema>();
  readonly #queue: [source: Source, node: Schema][] = [];
  readonly #edges: SchemaEdge[] = [];
  readonly #lookup: Record<string, Schema> = Object.create(null);
  readonly #names = new Map<Schema, string>();
  /** Nodes from which a keyword was left out. */
  readonly #loose = new Set<Schema>();
  #size = 0;
  #tuples = false;
  #budget = createCheckBudget();
  /** The extra costs of a visit, and of one that measures texts. */
  #surcharge = 0;
  #measuring = 0;

  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  compile(): SafeSchema {
    const node = this.#nodeOf(this.#root);
    // The queue grows while it is read. It replaces recursion, because a schema may be deep or contain itself.
    for (const [source, target] of this.#queue) this.#fill(source, target);
    if (longestChain(this.#edges) > MAX_IN_PLACE) throw new Error('it refers to itself, or nests too deep');
    if (this.#loose.size > 0) this.#loosen();
    return { node, lookup: this.#lookup, draft: this.#draft(), charge: this.#charge.bind(this) };
  }

  /** Chooses the draft. The drafts differ in one thing here: up to draft-07, keywords beside a `$ref` are ignored. */
  #draft(): SchemaDraft {
    const named = isObject(this.#root) ? this.#root.$schema : undefined;
    const old = typeof named === 'string' ? /draft-0[3-7]/.test(named) : this.#tuples;
    return old ? '7' : '2020-12';
  }

  // --- nodes

  #nodeOf(source: unknown): Schema {
    if (!isObject(source)) {
      const node = this.#create(1);
      // `true`, or an invalid schema, becomes an empty node, which accepts any value.
      if (source === false) node.not = {};
      return node;
    }
    let node = this.#nodes.get(source);
    if (!node) {
      node = this.#create(...costOf(source));
      this.#nodes.set(source, node);
      this.#queue.push([source, node]);
    }
    return node;
  }

  #create(size: number, price = 1, measures = false): Schema {
    this.#size += size;
    if (this.#size > MAX_NODES) throw new Error(`it has more than ${MAX_NODES} nodes`);
    const node: Schema = Object.create(null);
    // The validator reads every keyword of each schema it visits, so a getter on this unused one counts the visits.
    Object.defineProperty(node, '$recursiveAnchor', { get: () => this.#pay(price, measures) });
    return node;
  }

  #child(from: Schema, keyword: string, source: unknown): Schema {
    return this.#linked(from, keyword, this.#nodeOf(source));
  }

  #linked(from: Schema, keyword: string, to: Schema): Schema {
    this.#edges.push({ from, to, inPlace: IN_PLACE.has(keyword) });
    return to;
  }

  // --- keywords

  #fill(source: Source, node: Schema): void {
    if (source.nullable === true) {
      const itself = this.#create(...costOf(source));
      node.anyOf = [this.#linked(node, 'anyOf', itself), this.#child(node, 'anyOf', { type: 'null' })];
      this.#fill({ ...source, nullable: false }, itself);
      return;
    }
    for (const keyword of Object.keys(source)) this.#keyword(node, keyword, source[keyword]);
    // Without `patternProperties` it is unknown which properties are additional.
    if (Object.hasOwn(source, 'patternProperties')) delete node.additionalProperties;
    if (source.minContains === 0) delete node.contains;
    exclusiveAsNumbers(source, node);
  }

  #keyword(node: Schema, keyword: string, value: unknown): void {
    if (LISTS.has(keyword) && isFilled(value)) this.#list(node, keyword, value);
    else if (SCHEMAS.has(keyword) && isSchema(value)) node[keyword] = this.#child(node, keyword, value);
    else if (MAPS.has(keyword) && isObject(value)) node[keyword] = this.#map(node, keyword, value);
    else if (NUMBERS.has(keyword) && typeof value === 'number') node[keyword] = value;
    else if (keyword === '$ref') node.$ref = this.#ref(node, value);
    else if (keyword === 'type' && namedTypes(value)) node.type = [...(namedTypes(value) ?? [])];
    else if (keyword === 'const') node.const = value;
    else if (keyword === 'enum' && isFilled(value)) node.enum = value;
    else if (keyword === 'required' && Array.isArray(value)) node.required = value.filter(isString);
    else if (keyword === 'dependentRequired' && isObject(value)) this.#dependencies(node, value);
    else if (keyword === 'dependencies' && isObject(value)) this.#dependencies(node, value);
    else if (LEFT_OUT.has(keyword) && value !== false) this.#loose.add(node);
  }

  #list(node: Schema, keyword: string, sources: unknown[]): void {
    if (keyword === 'items') this.#tuples = true;
    node[keyword] = sources.map((source) => this.#child(node, keyword, source));
  }

  #map(node: Schema, keyword: string, sources: Source): Record<string, Schema> {
    const map: Record<string, Schema> = Object.create(null);
    for (const key of Object.keys(sources)) map[key] = this.#child(node, keyword, sources[key]);
    return map;
  }

  /** Resolves a reference. Its target gets a generated name, so the validator only looks it up in `lookup`. */
  #ref(node: Schema, ref: unknown): string {
    const source = resolveRef(ref, this.#root);
    if (source === undefined) throw new Error(`nothing is found at $ref ${JSON.stringify(ref)}`);
    const target = this.#child(node, '$ref', source);
    const name = this.#names.get(target) ?? `#${this.#names.size}`;
    this.#names.set(target, name);
    this.#lookup[name] = target;
    return name;
  }

  /** Splits `dependencies`: up to draft-07 it holds both lists of keys and schemas. */
  #dependencies(node: Schema, value: Source): void {
    for (const key of Object.keys(value)) {
      const needed = value[key];
      if (Array.isArray(needed)) {
        node.dependentRequired ??= Object.create(null) as Record<string, string[]>;
        node.dependentRequired[key] = needed.filter(isString);
      } else {
        node.dependentSchemas ??= Object.create(null) as Record<string, Schema>;
        node.dependentSchemas[key] = this.#child(node, 'dependentSchemas', needed);
      }
    }
  }

  // --- what was left out

  #loosen(): void {
    for (const { from } of this.#edges) this.#withoutUnevaluated(from);
    const loose = reaching(this.#loose, this.#edges);
    for (const node of loose) {
      if (node.not && loose.has(node.not)) delete node.not;
      if (node.oneOf?.some((branch) => loose.has(branch))) this.#anyInstead(node, node.oneOf);
      if (node.if && loose.has(node.if)) delete node.if;
    }
  }

  /** Removes the `unevaluated…` keywords: they depend on all other keywords, some of which were left out. */
  #withoutUnevaluated(node: Schema): void {
    if (node.unevaluatedProperties === undefined && node.unevaluatedItems === undefined) return;
    delete node.unevaluatedProperties;
    delete node.unevaluatedItems;
    this.#loose.add(node);
  }

  #anyInstead(node: Schema, branches: Schema[]): void {
    const either = this.#create(1);
    either.anyOf = branches;
    node.allOf = [...(node.allOf ?? []), either];
    delete node.oneOf;
  }

  // --- the budget

  #charge<T>(value: JsonValue, budget: CheckBudget, check: () => T): T {
    const { left } = budget;
    // Without in-place edges the validator visits each part of the value once or twice, whatever the schema.
    const seesPartsOften = this.#edges.some((edge) => edge.inPlace);
    if (seesPartsOften && left <= 0) throw TOO_MUCH;
    const { parts, keys, name, text } = bulkOf(value);
    const listed = keys / (keys > FEW_KEYS ? KEYS_A_VISIT : 10 * KEYS_A_VISIT);
    this.#surcharge = seesPartsOften ? Math.floor(listed + name / CHARACTERS_A_VISIT) : 0;
    this.#measuring = seesPartsOften ? Math.floor(text / CHARACTERS_A_VISIT) : 0;
    this.#budget = budget;
    budget.left = Math.max(0, left) + (seesPartsOften ? 0 : parts * VISITS_A_PART);
    try {
      return check();
    } finally {
      budget.left = Math.min(budget.left, left);
    }
  }

  #pay(price: number, measures: boolean): undefined {
    this.#budget.left -= price + this.#surcharge + (measures ? this.#measuring : 0);
    if (this.#budget.left < 0) throw TOO_MUCH;
  }
}

function isFilled(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Converts draft-04's `exclusiveMinimum: true` beside `minimum`. */
function exclusiveAsNumbers(source: Source, node: Schema): void {
  for (const end of ['Minimum', 'Maximum']) {
    const plain = end.toLowerCase();
    if (source[`exclusive${end}`] !== true || node[plain] === undefined) continue;
    node[`exclusive${end}`] = node[plain];
    delete node[plain];
  }
}

/** Gives the size of the schema's own keywords, the cost of a visit, and whether a visit measures a text. */
function costOf(source: Source): [size: number, price: number, measures: boolean] {
  const { properties, dependentSchemas, required, dependentRequired, dependencies } = source;
  const values = sizeOf(source.enum) + sizeOf(source.const);
  const keys = sizeOf(required) + sizeOf(dependentRequired) + sizeOf(dependencies);
  const members = [properties, dependentSchemas].flatMap((map) => (isObject(map) ? Object.keys(map) : []));
  const price = 1 + Math.floor(values / VALUES_A_VISIT + (keys + members.length) / KEYS_A_VISIT);
  return [1 + values + keys, price, 'minLength' in source || 'maxLength' in source];
}

/** Counts the values it holds, itself included, a long text as many, up to just over MAX_NODES. */
function sizeOf(value: unknown): number {
  if (value === undefined) return 0;
  const stack: unknown[] = [value];
  let size = 0;
  while (stack.length > 0 && size <= MAX_NODES) {
    const next = stack.pop();
    size +=
      1 + (typeof next === 'string' ? Math.floor(next.length / (CHARACTERS_A_VISIT / VALUES_A_VISIT)) : 0);
    if (typeof next !== 'object' || next === null) continue;
    for (const part of Object.values(next).slice(0, MAX_NODES)) stack.push(part);
  }
  return size;
}

/** Counts the parts of a value, the keys of its widest object, and the characters of its longest name and text. */
function bulkOf(value: JsonValue): Record<'parts' | 'keys' | 'name' | 'text', number> {
  const bulk = { parts: 0, keys: 0, name: 0, text: 0 };
  const stack: JsonValue[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    bulk.parts++;
    if (typeof next === 'string') bulk.text = Math.max(bulk.text, next.length);
    else if (Array.isArray(next)) {
      for (const item of next) stack.push(item);
    } else if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next);
      bulk.keys = Math.max(bulk.keys, names.length);
      for (const name of names) {
        bulk.name = Math.max(bulk.name, name.length);
        stack.push(next[name] as JsonValue);
      }
    }
  }
  return bulk;
}
