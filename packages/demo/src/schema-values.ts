// Makes values that fit a JSON Schema: the smallest if nothing is known, else the nearest to a known one. Schemas come
// from outside, so every walk is bounded, and patterns are never run.

import { isObject, type JsonObject, type JsonValue, resolveRef, setMember } from '@dragoman/core/internal';
import { meaningsOf } from './words.js';

const MAX_STEPS = 24;
const MAX_DEPTH = 16;
const MAX_ITEMS = 100;
const MAX_LENGTH = 10_000;

/** Resolves a schema: follows its references, merges `allOf`, and takes the first of `anyOf` that is not null. */
export function settle(schema: unknown, root: JsonObject): JsonObject {
  let settled = isObject(schema) ? (schema as JsonObject) : {};
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { $ref, allOf, anyOf, oneOf, ...rest } = settled;
    const parts = [
      resolveRef($ref, root),
      ...listOf(allOf),
      choiceOf(listOf(anyOf)),
      choiceOf(listOf(oneOf)),
    ];
    if (!parts.some(isObject)) return rest;
    settled = parts.reduce<JsonObject>(merge, rest);
  }
  return {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Literals are an enum. */
function choiceOf(branches: readonly unknown[]): unknown {
  const literals = branches.flatMap((one) => (isObject(one) && 'const' in one ? [one.const] : []));
  if (literals.length > 0 && literals.length === branches.length) return { enum: literals };
  return branches.find((one) => isObject(one) && one.type !== 'null' && one.const !== null) ?? branches[0];
}

/** Merges two schemas: required members and properties add up; of the rest the first counts. */
function merge(one: JsonObject, other: unknown): JsonObject {
  if (!isObject(other)) return one;
  const properties = { ...(other.properties as object), ...(one.properties as object) };
  const required = [...requiredOf(one), ...requiredOf(other as JsonObject)];
  const isOfObjects = one.properties !== undefined || other.properties !== undefined;
  return { ...(other as JsonObject), ...one, ...(isOfObjects && { properties }), required };
}

export function typeOf(schema: JsonObject): string | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return String(type.find((one) => one !== 'null') ?? 'null');
  if (typeof type === 'string') return type;
  return isObject(schema.properties) ? 'object' : schema.items !== undefined ? 'array' : undefined;
}

export function propertiesOf(schema: JsonObject): Map<string, unknown> {
  return new Map(isObject(schema.properties) ? Object.entries(schema.properties) : []);
}

export function requiredOf({ required }: JsonObject): string[] {
  return listOf(required).filter((key): key is string => typeof key === 'string');
}

/** Gives a string of the required length. */
export function fitString(text: string, { minLength, maxLength }: JsonObject): string {
  const long = text.padEnd(Math.min(numberOr(minLength, 0), MAX_LENGTH), '.');
  return [...long].slice(0, numberOr(maxLength, Infinity)).join('');
}

/** Gives the nearest number that the schema allows. */
export function fitNumber(number: number, schema: JsonObject): number {
  const unit = numberOr(schema.multipleOf, typeOf(schema) === 'integer' ? 1 : 0);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const step = unit || 1e-3;
  const low = Math.max(numberOr(minimum, -Infinity), numberOr(exclusiveMinimum, -Infinity) + step);
  const high = Math.min(numberOr(maximum, Infinity), numberOr(exclusiveMaximum, Infinity) - step);
  const held = Math.min(Math.max(number, low), high);
  if (unit === 0) return held;
  const rounded = Math.round(held / unit) * unit;
  return rounded < low ? rounded + unit : rounded > high ? rounded - unit : rounded;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** Gives a value that fits the schema, as small as possible. */
export function defaultValue(schema: unknown, root: JsonObject, name = '', depth = 0): JsonValue {
  const settled = settle(schema, root);
  if (Object.hasOwn(settled, 'const')) return settled.const as JsonValue;
  if (Array.isArray(settled.enum) && settled.enum.length > 0) return settled.enum[0] as JsonValue;
  const type = typeOf(settled);
  if (type === 'integer' || type === 'number') return fitNumber(1, settled);
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  const inner = (value: unknown, key: string) => defaultValue(value, root, key, depth + 1);
  if (type === 'array') {
    const length = depth > MAX_DEPTH ? 0 : Math.min(numberOr(settled.minItems, 0), MAX_ITEMS);
    return Array.from({ length }, () => inner(settled.items, name));
  }
  if (type === 'object') return depth > MAX_DEPTH ? {} : defaultObject(settled, inner);
  return fitString(STRINGS.get(String(settled.format)) ?? STRINGS.get(name.toLowerCase()) ?? 'demo', settled);
}

function defaultObject(schema: JsonObject, inner: (value: unknown, key: string) => JsonValue): JsonObject {
  const object: JsonObject = {};
  const properties = propertiesOf(schema);
  for (const key of requiredOf(schema)) setMember(object, key, inner(properties.get(key), key));
  return object;
}

/** Harmless values by format, and by the parameter names that agents' tools have. */
const STRINGS = meaningsOf([
  '2026-01-01 date',
  '2026-01-01T12:00:00Z date-time',
  '12:00:00Z time',
  'someone@example.com email',
  'https://example.com/ uri url',
  '00000000-0000-4000-8000-000000000000 uuid',
  '. path dir directory',
  'README.md file_path filename',
  '* pattern glob',
  'ls command cmd',
  'Beijing city location',
]);
