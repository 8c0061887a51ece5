// A value that a schema takes, where the question gives none: as small as the schema allows.

import type { JsonObject, JsonValue } from '@dragoman/core';
import { setMember } from '@dragoman/core/internal';
import { propertiesOf, requiredOf, settle, typeOf } from './schema-facts.js';

/** Schemas may ask for themselves. */
const MAX_DEPTH = 16;
/** Lists and strings that are asked for longer are not worth it. */
const MAX_ITEMS = 100;

export function defaultValue(schema: unknown, root: JsonObject, name = '', depth = 0): JsonValue {
  const settled = settle(schema, root);
  if (Object.hasOwn(settled, 'const')) return settled.const as JsonValue;
  if (Array.isArray(settled.enum) && settled.enum.length > 0) return settled.enum[0] as JsonValue;
  if (Object.hasOwn(settled, 'default')) return settled.default as JsonValue;
  switch (typeOf(settled)) {
    case 'integer':
    case 'number':
      return defaultNumber(settled);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return depth > MAX_DEPTH ? [] : defaultList(settled, root, name, depth);
    case 'object':
      return depth > MAX_DEPTH ? {} : defaultObject(settled, root, depth);
    default:
      return fitString(defaultString(settled, name), settled);
  }
}

/** A string of the length that is asked for. Patterns come from outside and are never run. */
export function fitString(text: string, schema: JsonObject): string {
  const { minLength, maxLength } = schema;
  let fitted = text;
  if (typeof minLength === 'number') fitted = fitted.padEnd(Math.min(minLength, 10_000), '.');
  return typeof maxLength === 'number' ? [...fitted].slice(0, maxLength).join('') : fitted;
}

/** The number nearest to this one that the schema takes. */
export function fitNumber(number: number, schema: JsonObject): number {
  const step = typeof schema.multipleOf === 'number' && schema.multipleOf > 0 ? schema.multipleOf : undefined;
  const isInteger = typeOf(schema) === 'integer';
  const unit = step ?? (isInteger ? 1 : 0);
  const [low, high] = [lowest(schema, unit || 1e-3), highest(schema, unit || 1e-3)];
  const held = Math.min(Math.max(number, low), high);
  if (unit === 0) return held;
  const rounded = Math.round(held / unit) * unit;
  if (rounded < low) return Math.ceil(low / unit) * unit;
  return rounded > high ? Math.floor(high / unit) * unit : rounded;
}

function lowest({ minimum, exclusiveMinimum }: JsonObject, unit: number): number {
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + unit : -Infinity;
  return Math.max(typeof minimum === 'number' ? minimum : -Infinity, above);
}

function highest({ maximum, exclusiveMaximum }: JsonObject, unit: number): number {
  const below = typeof exclusiveMaximum === 'number' ? exclusiveMaximum - unit : Infinity;
  return Math.min(typeof maximum === 'number' ? maximum : Infinity, below);
}

function defaultNumber(schema: JsonObject): number {
  return fitNumber(1, schema);
}

function defaultList(schema: JsonObject, root: JsonObject, name: string, depth: number): JsonValue {
  const { minItems, prefixItems, items } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const length = Math.min(Math.max(typeof minItems === 'number' ? minItems : 0, first.length), MAX_ITEMS);
  return Array.from({ length }, (_, at) => {
    const item = first[at] ?? (Array.isArray(items) ? {} : items);
    const value = defaultValue(item, root, name, depth + 1);
    return schema.uniqueItems === true ? unlike(value, at) : value;
  });
}

function unlike(value: JsonValue, at: number): JsonValue {
  if (typeof value === 'string') return at === 0 ? value : `${value} ${at + 1}`;
  return typeof value === 'number' ? value + at : value;
}

function defaultObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const object: JsonObject = {};
  const properties = new Map(propertiesOf(schema));
  for (const key of requiredOf(schema)) {
    setMember(object, key, defaultValue(properties.get(key), root, key, depth + 1));
  }
  return object;
}

const BY_FORMAT: Readonly<Record<string, (now: Date) => string>> = {
  date: (now) => now.toISOString().slice(0, 10),
  'date-time': (now) => now.toISOString(),
  time: () => '12:00:00Z',
  email: () => 'someone@example.com',
  uri: () => 'https://example.com/',
  url: () => 'https://example.com/',
  uuid: () => '00000000-0000-4000-8000-000000000000',
  ipv4: () => '127.0.0.1',
  ipv6: () => '::1',
  hostname: () => 'example.com',
};

function defaultString({ format, examples }: JsonObject, name: string): string {
  if (Array.isArray(examples) && typeof examples[0] === 'string') return examples[0];
  if (typeof format === 'string' && Object.hasOwn(BY_FORMAT, format))
    return BY_FORMAT[format]?.(new Date()) ?? '';
  return BY_NAME.get(name.toLowerCase()) ?? 'demo';
}

/** Names that agents' tools have, with a value that does no harm. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['path', '.'],
  ['dir', '.'],
  ['directory', '.'],
  ['file_path', 'README.md'],
  ['filename', 'README.md'],
  ['pattern', '*'],
  ['glob', '*'],
  ['command', 'ls'],
  ['cmd', 'ls'],
  ['url', 'https://example.com/'],
  ['email', 'someone@example.com'],
  ['city', 'Beijing'],
  ['location', 'Beijing'],
]);
