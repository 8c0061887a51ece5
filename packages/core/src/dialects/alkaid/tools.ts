// The tool list of alkaid: a flat map of parameters, not JSON Schema.
//
//   {"name": "get_weather", "description": "…", "parameters": {
//       "location": {"description": "…", "type": "string", "required": true, "enum": […]},
//       "days":     {"description": "…", "type": "number", "required": false, "integer": true, "minimum": 1},
//       "options":  {"description": "…", "type": "object", "required": false, "properties": {the same again}},
//       "value":    {"description": "…", "type": "string", "required": true, "any": true},
//       "filter":   {"description": "…", "type": "string", "required": false, "schema": {"anyOf": […]}}}}
//
// A type is one of five. A keyword that a type cannot express stays as a key of the same name. Unions and the like, and
// circular references, stay as JSON Schema under `schema`; their definitions are under `$defs` of the tool, once,
// because many parameters may need the same ones.

import {
  descriptionOf,
  inside,
  type Place,
  propertiesOf,
  SchemaWalk,
} from '../../families/writing/schema-places.js';
import {
  type ExactValue,
  isObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Tool,
} from '../../model/index.js';
import { acceptedTypes, decodeToken, isSchema, namedTypes, type SchemaType } from '../../schema/schema.js';

/** Keywords that the flat form expresses in its own way, or that only describe the schema document. */
const SAID = new Set(
  (
    'type description title required properties items additionalProperties ' +
    '$schema $id $anchor $comment $defs definitions'
  ).split(' '),
);

/** Keywords with subschemas that a flat map cannot express. */
const UNSAYABLE = (
  '$ref $dynamicRef $recursiveRef anyOf oneOf allOf not if then else prefixItems additionalItems contains ' +
  'patternProperties propertyNames dependencies dependentSchemas unevaluatedItems unevaluatedProperties'
).split(' ');

type Entry = Map<string, ExactValue>;

interface Flattening {
  walk: SchemaWalk;
  /** Schemas that stay JSON Schema, and may refer to definitions. */
  kept: JsonSchema[];
}

export function flattenTool(tool: Tool): ExactValue {
  const flattening: Flattening = { walk: new SchemaWalk(tool.parameters ?? {}), kept: [] };
  const start = flattening.walk.start();
  const place = flattening.walk.open(start) ?? start;
  const entry: Entry = new Map<string, ExactValue>([
    ['name', tool.name],
    ['description', tool.description ?? ''],
    ['parameters', flattenProperties(flattening, place)],
  ]);
  const rest = restOfRoot(place.schema);
  if (rest !== undefined) entry.set('schema', keep(flattening, rest));
  for (const [key, definitions] of definitionsOf(flattening.kept, flattening.walk.root)) {
    entry.set(key, definitions);
  }
  return entry;
}

/** Gives the root's keywords beyond its properties: rules between them, or properties of any name. */
function restOfRoot(schema: JsonSchema): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  const rest = Object.entries(schema as JsonObject).filter(([key]) => !SAID.has(key));
  const { additionalProperties } = schema as JsonObject;
  if (additionalProperties) rest.push(['additionalProperties', additionalProperties]);
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}

function flattenProperties(flattening: Flattening, place: Place): Entry {
  const entries: Entry = new Map();
  if (!isObject(place.schema)) return entries;
  for (const { key, schema, required } of propertiesOf(place.schema as JsonObject)) {
    const { description, type, more } = flatten(flattening, inside(place, schema), key);
    entries.set(
      key,
      entryOf([['description', description], ['type', type], ['required', required], ...more]),
    );
  }
  return entries;
}

/** Flattens list items and the values of a map: they are no parameters, so they have no `required`. */
function flattenPart(flattening: Flattening, place: Place): Entry {
  const { description, type, more } = flatten(flattening, place);
  const words: [string, ExactValue][] = description === '' ? [] : [['description', description]];
  return entryOf([...words, ['type', type], ...more]);
}

function entryOf(members: Iterable<readonly [string, ExactValue]>): Entry {
  return new Map(members);
}

interface Flat {
  description: string;
  type: string;
  more: Entry;
}

function flatten(flattening: Flattening, place: Place, name?: string): Flat {
  const said = flattening.walk.open(place);
  const schema = toObject((said ?? place).schema);
  const types = acceptedTypes(schema, flattening.walk.root);
  const isFlat = said !== undefined && isSayable(schema);
  return {
    description: descriptionOf(schema, name),
    type: firstOfFive(types) ?? 'string',
    more: isFlat ? sayable(flattening, { ...said, schema }, types) : unsayable(flattening, schema),
  };
}

function unsayable(flattening: Flattening, { description, title, ...rest }: JsonObject): Entry {
  return entryOf([['schema', keep(flattening, rest)]]);
}

function sayable(flattening: Flattening, place: Place, types: ReadonlySet<SchemaType> | undefined): Entry {
  const more = entryOf(Object.entries(place.schema).filter(([key]) => !SAID.has(key)));
  if (types === undefined) more.set('any', true);
  else if (types.has('integer') && !types.has('number')) more.set('integer', true);
  addParts(flattening, place, more);
  return more;
}

/** Gives a boolean schema as an object: `true` allows what `{}` allows, `false` what `{"not": {}}` allows. */
function toObject(schema: JsonSchema): JsonObject {
  if (isObject(schema)) return schema as JsonObject;
  return schema ? {} : { not: {} };
}

function firstOfFive(types: ReadonlySet<SchemaType> | undefined): string | undefined {
  for (const type of types ?? []) if (type !== 'null') return type === 'integer' ? 'number' : type;
  return undefined;
}

function isSayable(schema: JsonObject): boolean {
  if (UNSAYABLE.some((keyword) => Object.hasOwn(schema, keyword))) return false;
  const { type, items } = schema;
  const named = namedTypes(type);
  const isOne = type === undefined || (named?.size === 1 && !named.has('null'));
  return isOne && (items === undefined || isObject(items));
}

function addParts(flattening: Flattening, place: Place, more: Entry): void {
  const { properties, items, additionalProperties } = place.schema as JsonObject;
  if (isObject(properties)) more.set('properties', flattenProperties(flattening, place));
  if (isObject(items)) more.set('items', flattenPart(flattening, inside(place, items)));
  // `additionalProperties: false` is the default of the flat form and is not written.
  if (additionalProperties === true) more.set('additionalProperties', true);
  else if (isSchema(additionalProperties) && additionalProperties !== false) {
    more.set('additionalProperties', flattenPart(flattening, inside(place, additionalProperties)));
  }
}

function keep(flattening: Flattening, schema: JsonSchema): JsonSchema {
  flattening.kept.push(schema);
  return schema;
}

const PLACES = ['$defs', 'definitions'];

/** Gives definitions by member and name: `$defs` → `Node` → schema. Each is visited once, so the cost is linear. */
function definitionsOf(
  schemas: readonly JsonSchema[],
  root: JsonSchema,
): Map<string, Map<string, ExactValue>> {
  const found = new Map<string, Map<string, ExactValue>>();
  const toRead: JsonValue[] = [...schemas];
  for (let value = toRead.pop(); value !== undefined; value = toRead.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const target = isObject(value) ? referredTo(value.$ref, root) : undefined;
    if (target !== undefined && !found.get(target.place)?.has(target.name)) {
      const names = found.get(target.place) ?? new Map<string, ExactValue>();
      found.set(target.place, names.set(target.name, target.schema));
      toRead.push(target.schema);
    }
    for (const part of Object.values(value)) toRead.push(part);
  }
  return found;
}

function referredTo(
  ref: unknown,
  root: JsonSchema,
): { place: string; name: string; schema: JsonValue } | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#/') || !isObject(root)) return undefined;
  const [place = '', token = ''] = ref.slice(2).split('/');
  const name = decodeToken(token);
  const definitions = PLACES.includes(place) && Object.hasOwn(root, place) ? root[place] : undefined;
  if (!isObject(definitions) || !Object.hasOwn(definitions, name)) return undefined;
  return { place, name, schema: definitions[name] as JsonValue };
}
