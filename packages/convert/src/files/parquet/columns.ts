// The columns of a Parquet file that is written: each has the narrowest type that holds all values of the first rows.
// Mixed, empty and unknown columns, lists and objects become JSON text, which holds everything. The file's own metadata
// lists these columns: other programs see text, as in most published training sets, and we read back exactly the values
// that were written.

import {
  ExactNumber,
  type ExactValue,
  isExactObject,
  memberOf,
  parseExact,
  stringifyJson,
} from '@dragoman/core/internal';
import type { FileMetaData, SchemaElement } from 'hyparquet';

export type ColumnType = 'unknown' | 'boolean' | 'integer' | 'double' | 'string' | 'json';

/** A column, or a part of one: lists and structs only where `survey.ts` found them in all rows. */
export type Column =
  | ColumnType
  | 'token'
  | { list: Column }
  /** `text`: the rows hold the object as JSON text. */
  | { struct: ReadonlyMap<string, Column>; text?: boolean };

/** The ids and labels of tokens. */
export const TOKENS: Column = { list: 'token' };

const numberText = (value: number | ExactNumber) =>
  value instanceof ExactNumber ? value.text : JSON.stringify(value);

export function typeOf(value: ExactValue): ColumnType {
  if (value === null) return 'unknown';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'string';
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return 'json';
  const text = numberText(value);
  return isInt64(text) ? 'integer' : isDouble(text) ? 'double' : 'json';
}

/** Whether the value is an integer of 64 bits that no double holds with all its digits. */
export function isLong(value: ExactValue): boolean {
  return typeOf(value) === 'integer' && !isDouble(numberText(value as number | ExactNumber));
}

/** Says how a column would change a value that fits into it; undefined if it would not. */
export function changedAs(value: ExactValue): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : HALF;
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return undefined;
  const text = numberText(value);
  if (typeOf(value) === 'json') return `${shortened(text)} is beyond what a column holds`;
  if (typeOf(value) !== 'double') return undefined;
  const written = String(Number(text));
  return written === text ? undefined : `${shortened(text)} would become ${written}`;
}

/** The most digits of a number that a reason shows. */
const MOST_DIGITS = 30;

const shortened = (text: string) => (text.length <= MOST_DIGITS ? text : `${text.slice(0, MOST_DIGITS)}…`);

/** Gives the narrowest type that holds the values of both. */
export function mergeTypes(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b || b === 'unknown') return a;
  if (a === 'unknown') return b;
  const numbers = [a, b].every((type) => type === 'integer' || type === 'double');
  return numbers ? 'double' : 'json';
}

/** A value that its column cannot hold. */
export class Misfit extends Error {
  constructor(
    readonly column: string,
    expected: string,
    readonly found: string,
  ) {
    super(`column ${column}: expected ${expected}, found ${found}`);
  }
}

/** Text that UTF-8 cannot hold: a lone surrogate. One such row must not turn a text column into JSON. */
export const HALF = 'a string with half a character';

const expected = {
  boolean: 'true or false',
  integer: 'an integer of 64 bits',
  double: 'a number that a double holds with all its digits',
  string: 'a string of whole characters',
} as const;

/** Converts a value. Throws a Misfit. undefined is absent; null is absent, too, except in JSON text. */
export function columnValue(value: ExactValue | undefined, type: Column, column: string): unknown {
  if (value === undefined) return undefined;
  if (type === 'token') return typeof value === 'number' ? value : undefined;
  if (typeof type === 'object') return value === null ? undefined : nestedValue(value, type, column);
  // Unknown columns are written as JSON text, too.
  if (type === 'json' || type === 'unknown') return stringifyJson(value, 'compact');
  if (value === null) return undefined;
  const scalar = scalarValue(value, type);
  if (scalar === undefined) throw new Misfit(column, expected[type], foundOf(value));
  return scalar;
}

function nestedValue(value: ExactValue, type: Exclude<Column, string>, column: string): unknown {
  if ('list' in type) {
    if (!Array.isArray(value)) throw new Misfit(column, 'a list', foundOf(value));
    return value.map((item) => columnValue(item, type.list, column));
  }
  const object = type.text && typeof value === 'string' ? parseExact(value) : value;
  if (!isExactObject(object)) throw new Misfit(column, 'an object', foundOf(value));
  const members = [...type.struct].map(([key, member]): [string, unknown] => [
    key,
    columnValue(memberOf(object, key), member, column),
  ]);
  return Object.fromEntries(members);
}

function scalarValue(value: ExactValue, type: keyof typeof expected): unknown {
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type === 'string') return typeof value === 'string' && value.isWellFormed() ? value : undefined;
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return undefined;
  const text = numberText(value);
  if (type === 'integer') return isInt64(text) ? BigInt(text) : undefined;
  return isDouble(text) ? Number(text) : undefined;
}

export function foundOf(value: ExactValue): string {
  if (typeof value === 'string') return value.isWellFormed() ? 'a string' : HALF;
  if (typeof value === 'number' || value instanceof ExactNumber) return numberText(value);
  if (value === null || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

// --- the schema -----------------------------------------------------------------------------------------------

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const physical = {
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  string: text,
  json: text,
  unknown: text,
  token: { type: 'INT32' },
} as const;

/** Gives the elements of a column: of a list and a struct also those below it. */
export function columnSchema(name: string, type: Column): SchemaElement[] {
  const own = { name, repetition_type: 'OPTIONAL' } as const;
  if (typeof type === 'string') return [{ ...own, ...physical[type] }];
  if ('list' in type) {
    const list = { ...own, converted_type: 'LIST', num_children: 1 } as const;
    return [
      list,
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...columnSchema('element', type.list),
    ];
  }
  const members = [...type.struct].flatMap(([key, member]) => columnSchema(key, member));
  return [{ ...own, num_children: type.struct.size }, ...members];
}

const JSON_KEY = 'dragoman.json';

/** Lists the columns that hold JSON, each as the path from the root of the schema. */
export function jsonPathsEntry(columns: ReadonlyMap<string, Column>): { key: string; value: string } {
  const paths = [...columns].flatMap(([name, type]) => jsonPaths([name.replace(/^\ufeff/, '')], type));
  return { key: JSON_KEY, value: JSON.stringify(paths) };
}

/** hyparquet removes a byte order mark from names (tables that were CSV once have one). */
function jsonPaths(path: readonly string[], type: Column): (readonly string[])[] {
  if (type === 'json' || type === 'unknown') return [path];
  if (typeof type === 'string') return [];
  if ('list' in type) return jsonPaths([...path, 'list', 'element'], type.list);
  return [...type.struct].flatMap(([key, member]) => jsonPaths([...path, key], member));
}

/** Reads the paths. Anything but a list of paths was written by another program under our key, and is ignored. */
export function readJsonPaths(metadata: FileMetaData['key_value_metadata']): Set<string> {
  const text = metadata?.find(({ key }) => key === JSON_KEY)?.value;
  try {
    const paths: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(paths) ? paths.map((path) => JSON.stringify(path)) : []);
  } catch {
    return new Set();
  }
}

// --- numbers that fit without losing a digit ------------------------------------------------------------------

const MOST = 2n ** 63n - 1n;
/** The length of the longest 64-bit integer, with its sign. */
const LONGEST = 20;

function isInt64(text: string): boolean {
  // Integers have no '-0'.
  if (text.length > LONGEST || text === '-0' || !/^-?[0-9]+$/.test(text)) return false;
  const value = BigInt(text);
  return value <= MOST && value >= -MOST - 1n;
}

/** Whether the nearest double is written with the same digits. */
function isDouble(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && significant(text) === significant(String(value));
}

/** Gives digits and power of ten, the same for all spellings of a value: `1.50e3` and `1500` are `15e2`. */
function significant(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  const first = digits.search(/[1-9]/);
  if (first < 0) return '0';
  return `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
