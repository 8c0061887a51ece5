// Inspects a JSON Schema without running it: which types a value may have, which schema a key or an item has.
// Schemas come from outside: they may be wrong, cyclic or built to cost time. So every inspection is bounded, reads
// own properties only, and gives `undefined` where it cannot know.

import type { JsonSchema } from '../model/conversation.js';
import { isObject, type JsonObject, type JsonValue } from '../model/json.js';

/** A schema, where there may be none. */
export type OptionalSchema = JsonSchema | undefined;

export type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

export type Types = ReadonlySet<SchemaType>;

const MAX_DEPTH = 32;
/** Depth alone does not bound the work: `allOf` with the same `$ref` twice doubles it at every level. */
const MAX_VISITS = 1_000;

// --- types ---------------------------------------------------------------------------------------------

/** Gives the types a schema accepts. Undefined: any type, or unknown. `number` includes integers. */
export function acceptedTypes(schema: OptionalSchema, root: OptionalSchema = schema): Types | undefined {
  if (!isObject(schema)) return undefined;
  const known = typesSeen.get(schema);
  if (known && known.root === root) return known.types;
  const types = typesOf(schema, new Walk(root)) || undefined;
  typesSeen.set(schema, { root, types });
  return types;
}

const typesSeen = new WeakMap<object, { root: unknown; types: Types | undefined }>();

/** Tracks the cost of one inspection, and the schemas it is inside of. */
class Walk {
  private readonly open = new Set<object>();
  private visits = 0;
  constructor(readonly root: OptionalSchema) {}

  /** Runs `inside` with the schema marked as open. Gives `again` if it is open already, undefined past the limits. */
  enter<T>(schema: JsonObject, again: T, inside: () => T): T | undefined {
    if (this.open.has(schema)) return again;
    if (this.open.size >= MAX_DEPTH || ++this.visits > MAX_VISITS) return undefined;
    this.open.add(schema);
    const result = inside();
    this.open.delete(schema);
    return result;
  }
}

/** `undefined`: any type. `false`: the schema refers back to itself, which adds no information. */
type Found = Types | false | undefined;

function typesOf(schema: unknown, walk: Walk): Found {
  if (!isSchemaObject(schema)) return undefined;
  return walk.enter<Found>(schema, false, () => {
    let types = both(namedTypes(own(schema, 'type')), valueTypes(schema));
    types = both(types, typesOf(resolveRef(own(schema, '$ref'), walk.root), walk));
    for (const part of listOf(schema, 'allOf')) types = both(types, typesOf(part, walk));
    types = both(types, unionTypes(listOf(schema, 'anyOf'), walk));
    types = both(types, unionTypes(listOf(schema, 'oneOf'), walk));
    types ||= impliedTypes(schema) ?? types;
    return types && own(schema, 'nullable') === true ? new Set([...types, 'null']) : types;
  });
}

function unionTypes(branches: readonly unknown[], walk: Walk): Found {
  const union = new Set<SchemaType>();
  let found: Found;
  for (const branch of branches) {
    if (branch === false) continue;
    const types = typesOf(branch, walk);
    if (types === undefined) return undefined;
    for (const type of types || []) union.add(type);
    found = union.size > 0 && union;
  }
  return found;
}

/** Intersects two sets of types. If they contradict each other (`type: integer, enum: ["1"]`), the first counts. */
function both(first: Found, second: Found): Found {
  if (!first || !second) return first || second || (first ?? second);
  const common = new Set<SchemaType>();
  for (const type of first) if (includesType(second, type)) common.add(type);
  for (const type of second) if (includesType(first, type)) common.add(type);
  return common.size > 0 ? common : first;
}

function includesType(types: Types, type: SchemaType): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function valueTypes(schema: JsonObject): Types | undefined {
  const types = new Set(listOf(schema, 'enum').map((value) => typeOfValue(value as JsonValue)));
  if (Object.hasOwn(schema, 'const')) types.add(typeOfValue(schema.const as JsonValue));
  return types.size > 0 ? types : undefined;
}

/** Infers the type of a schema without `type`: `properties` imply an object, `items` an array. */
function impliedTypes(schema: JsonObject): Types | undefined {
  if (isObject(own(schema, 'properties'))) return new Set(['object']);
  if (isObject(own(schema, 'items')) || listOf(schema, 'prefixItems').length > 0) return new Set(['array']);
  return undefined;
}

export function typeOfValue(value: JsonValue): SchemaType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean' | 'object';
}

/** Whether a value of this type is accepted; an integer is a number, too. */
export function acceptsType(types: Types | undefined, type: SchemaType): boolean {
  return types === undefined || includesType(types, type);
}

/** Gives the types named in `type`, with misspellings corrected; undefined if one of them is unknown. */
export function namedTypes(type: unknown): Types | undefined {
  const names = Array.isArray(type) ? type : [type];
  const types = names.map((name) => (typeof name === 'string' ? namedType(name) : undefined));
  return types.length > 0 && types.every((name) => name !== undefined) ? new Set(types) : undefined;
}

/** Reads a type name in upper or lower case, ignoring its size or element type: `STRING`, `int64`, `list[str]`. */
function namedType(name: string): SchemaType | undefined {
  const letters = /^([a-z]+)(?:$|[\d[<(])/.exec(name.trim().toLowerCase());
  return SPELLINGS.get(letters?.[1] ?? '');
}

const SPELLINGS = new Map<string, SchemaType>(
  Object.entries({
    string: ['string', 'str', 'text', 'char', 'varchar'],
    number: ['number', 'num', 'float', 'double', 'decimal', 'real'],
    integer: ['integer', 'int', 'long', 'short', 'uint', 'bigint'],
    boolean: ['boolean', 'boolen', 'bool'],
    object: ['object', 'dict', 'dictionary', 'map', 'struct', 'record'],
    array: ['array', 'arr', 'list', 'tuple', 'set'],
    null: ['null', 'none', 'nonetype', 'nil'],
  } satisfies Record<SchemaType, string[]>).flatMap(([type, names]) =>
    names.map((name) => [name, type as SchemaType] as const),
  ),
);

// --- parts ---------------------------------------------------------------------------------------------

/**
 * Gives the schema of one key: from `properties`, through `$ref`, `allOf`, `anyOf` and `oneOf`; if none names the
 * key, from `additionalProperties`. That is ignored beside `patternProperties`, whose patterns are not run.
 */
export function propertySchema(
  schema: OptionalSchema,
  key: string,
  root: OptionalSchema = schema,
): OptionalSchema {
  const named = partOf(schema, new Walk(root), (at) => {
    const properties = own(at, 'properties');
    return isObject(properties) ? own(properties, key) : undefined;
  });
  if (named !== undefined) return named;
  return partOf(schema, new Walk(root), (at) => {
    const additional = own(at, 'additionalProperties');
    return isObject(additional) && !Object.hasOwn(at, 'patternProperties') ? additional : undefined;
  });
}

/** Gives the schema of an array's items; for a tuple, `anyOf` its items' schemas. */
export function itemSchema(schema: OptionalSchema, root: OptionalSchema = schema): OptionalSchema {
  return partOf(schema, new Walk(root), (at) => {
    const tuple = [...listOf(at, 'prefixItems'), ...listOf(at, 'items')].filter(isSchema);
    const rest = Array.isArray(own(at, 'items')) ? own(at, 'additionalItems') : own(at, 'items');
    return joined('anyOf', isSchemaObject(rest) ? [...tuple, rest] : tuple);
  });
}

function partOf(schema: unknown, walk: Walk, ownPart: (schema: JsonObject) => unknown): OptionalSchema {
  if (!isSchemaObject(schema)) return undefined;
  return walk.enter(schema, undefined, () => {
    const inner = (from: unknown) => partOf(from, walk, ownPart);
    const choice = [...listOf(schema, 'anyOf'), ...listOf(schema, 'oneOf')].map(inner).filter(isSchema);
    const all = [
      ownPart(schema),
      inner(resolveRef(own(schema, '$ref'), walk.root)),
      ...listOf(schema, 'allOf').map(inner),
      joined('anyOf', choice),
    ];
    return joined('allOf', all.filter(isSchema));
  });
}

function joined(keyword: 'allOf' | 'anyOf', schemas: JsonSchema[]): OptionalSchema {
  return schemas.length > 1 ? { [keyword]: schemas } : schemas[0];
}

// --- references ----------------------------------------------------------------------------------------

/** Resolves a reference into the same document: a JSON pointer, the document's id, an anchor among its definitions. */
export function resolveRef(ref: unknown, root: OptionalSchema): OptionalSchema {
  if (typeof ref !== 'string' || !isSchemaObject(root)) return undefined;
  const id = own(root, '$id');
  const local = typeof id === 'string' && id !== '' && ref.startsWith(id) ? ref.slice(id.length) : ref;
  if (local === '' || local === '#') return root;
  return local.startsWith('#/') ? atPointer(local.slice(2), root) : atName(local, root);
}

function atPointer(pointer: string, root: JsonObject): OptionalSchema {
  let at: unknown = root;
  for (const token of pointer.split('/')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = own(at, decodeToken(token));
  }
  return isSchema(at) ? at : undefined;
}

function atName(name: string, root: JsonObject): OptionalSchema {
  for (const keyword of ['$defs', 'definitions']) {
    const definitions = own(root, keyword);
    if (!isObject(definitions)) continue;
    for (const definition of Object.values(definitions)) {
      if (!isSchemaObject(definition)) continue;
      if (own(definition, '$id') === name || `#${own(definition, '$anchor')}` === name) return definition;
    }
  }
  return undefined;
}

/** Decodes a token of a JSON pointer: `~1` before `~0`, as RFC 6901 requires. Invalid percent escapes are kept. */
export function decodeToken(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {}
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

function listOf(schema: JsonObject, keyword: string): readonly unknown[] {
  const list = own(schema, keyword);
  return Array.isArray(list) ? list : [];
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isObject(value);
}

function isSchemaObject(value: unknown): value is JsonObject {
  return isObject(value);
}
