// A schema as plain facts about the values it takes: references followed, branches chosen. Schemas come from
// outside, so every walk is bounded.

import type { JsonObject } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';

export type ValueType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

const MAX_STEPS = 24;

/** The schema that counts: what it refers to, all of `allOf`, and the first of `anyOf` that is no null. */
export function settle(schema: unknown, root: JsonObject): JsonObject {
  let settled = isObject(schema) ? (schema as JsonObject) : {};
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { $ref, allOf, anyOf, oneOf, ...rest } = settled;
    if (typeof $ref === 'string') settled = merge(others(settled, '$ref'), resolve($ref, root));
    else if (Array.isArray(allOf)) settled = allOf.reduce<JsonObject>(merge, others(settled, 'allOf'));
    else if (Array.isArray(anyOf)) settled = merge(others(settled, 'anyOf'), branch(anyOf, root));
    else if (Array.isArray(oneOf)) settled = merge(rest, branch(oneOf, root));
    else return settled;
  }
  return {};
}

export function typeOf(schema: JsonObject): ValueType | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return (type.find((one) => one !== 'null') ?? type[0]) as ValueType | undefined;
  if (typeof type === 'string') return type as ValueType;
  if (isObject(schema.properties)) return 'object';
  if (isObject(schema.items) || Array.isArray(schema.prefixItems)) return 'array';
  return undefined;
}

export function propertiesOf(schema: JsonObject): [key: string, schema: unknown][] {
  return isObject(schema.properties) ? Object.entries(schema.properties) : [];
}

export function requiredOf(schema: JsonObject): string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((key): key is string => typeof key === 'string') : [];
}

function others(schema: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

function branch(branches: readonly unknown[], root: JsonObject): JsonObject {
  const objects = branches.filter(isObject) as JsonObject[];
  const chosen = objects.find((one) => one.type !== 'null' && one.const !== null) ?? objects[0] ?? {};
  return typeof chosen.$ref === 'string' ? resolve(chosen.$ref, root) : chosen;
}

/** What both say. Required members and properties add up; of the rest the first counts. */
function merge(one: JsonObject, two: unknown): JsonObject {
  if (!isObject(two)) return one;
  const other = two as JsonObject;
  const merged: JsonObject = { ...other, ...one };
  if (isObject(one.properties) && isObject(other.properties))
    merged.properties = { ...other.properties, ...one.properties };
  if (Array.isArray(one.required) && Array.isArray(other.required))
    merged.required = [...one.required, ...other.required];
  if (Array.isArray(one.allOf) && Array.isArray(other.allOf)) merged.allOf = [...one.allOf, ...other.allOf];
  return merged;
}

/** `#`, and pointers below it. */
function resolve(ref: string, root: JsonObject): JsonObject {
  let found: unknown = root;
  if (!ref.startsWith('#')) return {};
  for (const step of ref.slice(1).split('/').slice(1)) {
    const key = decode(step);
    const isThere = (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, key);
    found = isThere ? (found as Record<string, unknown>)[key] : undefined;
  }
  return isObject(found) ? (found as JsonObject) : {};
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
