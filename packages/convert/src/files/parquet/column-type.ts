// Chooses the type of a column: the narrowest that holds all values of the first rows. Mixed, empty and unknown columns
// become JSON text, which holds everything.

import { ExactNumber, type ExactValue, exactEntries } from '@dragoman/core/internal';
import { isDouble, isInt64 } from './number-type.js';

export type ColumnType =
  | { kind: 'unknown' | 'boolean' | 'integer' | 'double' | 'string' | 'json' }
  | { kind: 'list'; element: ColumnType }
  | { kind: 'struct'; members: Map<string, ColumnType> };

/** How lists and objects are written: as JSON text, or as columns of their own. */
export type Nested = 'json' | 'typed';

/** Objects with more keys than this are maps (arguments, properties), and stay JSON text. */
const MEMBER_LIMIT = 16;
/** Deeper than any transcript; readers of Parquet walk such trees recursively. */
const DEPTH_LIMIT = 16;

const json: ColumnType = { kind: 'json' };

export function typeOf(value: ExactValue, nested: Nested, depth = 0): ColumnType {
  if (value === null) return { kind: 'unknown' };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'string') return { kind: 'string' };
  if (typeof value === 'number' || value instanceof ExactNumber) return numberType(value);
  if (nested === 'json' || depth >= DEPTH_LIMIT) return json;
  if (Array.isArray(value)) return listType(value, depth);
  return structType(value, depth);
}

export const numberText = (value: number | ExactNumber) =>
  value instanceof ExactNumber ? value.text : JSON.stringify(value);

function numberType(value: number | ExactNumber): ColumnType {
  const text = numberText(value);
  return { kind: isInt64(text) ? 'integer' : isDouble(text) ? 'double' : 'json' };
}

function listType(list: readonly ExactValue[], depth: number): ColumnType {
  const types = list.map((item) => typeOf(item, 'typed', depth + 1));
  return { kind: 'list', element: types.reduce(mergeTypes, { kind: 'unknown' }) };
}

function structType(
  value: { [key: string]: ExactValue } | Map<string, ExactValue>,
  depth: number,
): ColumnType {
  const entries = exactEntries(value);
  // Parquet cannot express a group without members.
  if (entries.length === 0 || entries.length > MEMBER_LIMIT) return json;
  return {
    kind: 'struct',
    members: new Map(entries.map(([key, member]) => [key, typeOf(member, 'typed', depth + 1)])),
  };
}

/** Gives the narrowest type that holds the values of both. */
export function mergeTypes(a: ColumnType, b: ColumnType): ColumnType {
  if (a.kind === 'unknown') return b;
  if (b.kind === 'unknown') return a;
  if (a.kind === 'list' && b.kind === 'list') {
    return { kind: 'list', element: mergeTypes(a.element, b.element) };
  }
  if (a.kind === 'struct' && b.kind === 'struct') return mergeMembers(a.members, b.members);
  if (a.kind === b.kind) return a;
  const numbers = [a.kind, b.kind].every((kind) => kind === 'integer' || kind === 'double');
  return numbers ? { kind: 'double' } : json;
}

function mergeMembers(a: ReadonlyMap<string, ColumnType>, b: ReadonlyMap<string, ColumnType>): ColumnType {
  const members = new Map(a);
  for (const [key, type] of b) members.set(key, mergeTypes(members.get(key) ?? { kind: 'unknown' }, type));
  return members.size > MEMBER_LIMIT ? json : { kind: 'struct', members };
}
