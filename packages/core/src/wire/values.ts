// How the wire reads values from outside, with the model's own functions.

import { notExpected } from '../model/fields.js';

export type { Fields } from '../model/fields.js';
export { fieldsOf, memberPath, toOpaque } from '../model/fields.js';
export { setMember } from '../model/json.js';

/** Writes 'expected …, found …' without a path. */
export function unexpectedText(expected: string, found: unknown): string {
  return notExpected('', expected, found).message;
}

/** Gives a member of a value that an upstream sent, where anything may be missing. Never throws. */
export function memberOf(value: unknown, ...keys: string[]): unknown {
  let here = value;
  for (const key of keys) {
    here = ownMember(here, key);
    if (here === undefined || here === null) return undefined;
  }
  return here;
}

/** Looked up in place: a stream calls this a dozen times for every token. */
function ownMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Map) return value.get(key);
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

export function stringOf(value: unknown, ...keys: string[]): string | undefined {
  const found = memberOf(value, ...keys);
  return typeof found === 'string' ? found : undefined;
}

export function numberOf(value: unknown, ...keys: string[]): number | undefined {
  const found = memberOf(value, ...keys);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function listOf(value: unknown, ...keys: string[]): unknown[] {
  const found = memberOf(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** Gives the object without undefined members. */
export function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Parses JSON text; undefined if it is invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
