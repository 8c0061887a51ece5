// Looks up members of exact JSON objects in place: a converter does this many times for each row.

import { ExactNumber, type ExactValue, type Extra, setMember } from '../model/index.js';

/** An object of exact JSON: a Map where a plain object would forget the order or the key. */
export type ExactObject = { [key: string]: ExactValue } | Map<string, ExactValue>;

/** The prefix of our notes in an `extra`. They only keep a spelling, so dropping them is no loss. */
export const NOTE_PREFIX = 'dragoman:';

export function isExactObject(value: unknown): value is ExactObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** Gives the member; undefined where it is absent or null, which is what tables write for absent. */
export function memberOf(row: ExactObject, key: string): ExactValue | undefined {
  const value = row instanceof Map ? row.get(key) : Object.hasOwn(row, key) ? row[key] : undefined;
  return value === null ? undefined : value;
}

/** Gives the member as it is, null included. */
export function memberAt(row: ExactObject, key: string): ExactValue | undefined {
  return row instanceof Map ? row.get(key) : Object.hasOwn(row, key) ? row[key] : undefined;
}

export function keysOf(row: ExactObject): string[] {
  return row instanceof Map ? [...row.keys()] : Object.keys(row);
}

/** Keeps the members that are not `known`, exact, as the `extra` of what was read. */
export function addExtra(part: { extra?: Extra }, row: ExactObject, known: ReadonlySet<string>): void {
  for (const key of keysOf(row)) {
    if (known.has(key)) continue;
    const value = memberAt(row, key);
    if (value === undefined) continue;
    part.extra ??= {};
    setMember<unknown>(part.extra, key, value);
  }
}

/** Writes an `extra` back, except for our notes and for members that are written already. */
export function putExtra(to: { [key: string]: ExactValue }, extra: Extra | undefined): void {
  if (extra === undefined) return;
  for (const [key, value] of Object.entries(extra)) {
    if (value === undefined || key.startsWith(NOTE_PREFIX) || Object.hasOwn(to, key)) continue;
    setMember(to, key, value as ExactValue);
  }
}
