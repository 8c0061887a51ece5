// Finds the types of nested columns from all rows of a file, so that a list of messages is a list in Parquet, too.
//
// Objects of a list, such as messages, calls and tools, become structs, and members that one of them lacks are null.
// Arguments of calls and schemas of tools must all have the same keys. Else the null of one call's key would appear in
// every other call, and models would learn to write it: they stay JSON text. So they do if one has a null, which a
// struct cannot tell from an absent key.

import { type ExactValue, exactEntries, isExactObject, parseExact } from '@dragoman/core/internal';
import type { ParquetColumns } from '../block.js';
import { type Column, type ColumnType, mergeTypes, TOKENS, typeOf } from './columns.js';
import { isOpen } from './open-objects.js';

/** The columns of tokens. */
export const tokenColumns: ReadonlyMap<string, Column> = new Map(
  ['input_ids', 'attention_mask', 'labels'].map((name) => [name, TOKENS]),
);

/** What the values at one place have been so far. */
type Found = ColumnType | { list: Found } | FoundObject;

interface FoundObject {
  members: Map<string, Found>;
  name: string;
  /** The object is JSON text. */
  text: boolean;
  /** All objects have the same keys. */
  agree: boolean;
  /** A member of one of them is null. */
  nulls: boolean;
}

/** Gives the columns that hold lists and objects. */
export function surveyColumns(
  blocks: Iterable<Iterable<string>>,
  columns: ParquetColumns,
): Map<string, Column> {
  const found = new Map<string, Found>();
  for (const lines of blocks)
    for (const line of lines) {
      const row = parseExact(line);
      if (!isExactObject(row)) continue;
      for (const [name, value] of exactEntries(row))
        if (typeof value === 'object' || found.has(name))
          found.set(name, merged(found.get(name), look(value, name)));
    }
  return new Map(
    [...found].flatMap(([name, one]) => {
      const column = columnOf(one, columns);
      return typeof column === 'string' ? [] : [[name, column]];
    }),
  );
}

function look(value: ExactValue, name: string): Found {
  if (Array.isArray(value)) {
    const items = value.map((item) => look(item, name));
    return { list: items.reduce<Found>((all, one) => merged(all, one), 'unknown') };
  }
  const text = name === 'arguments' && typeof value === 'string';
  const object = text ? objectIn(value) : value;
  if (!isExactObject(object)) return typeOf(value);
  const entries = exactEntries(object);
  const members = entries.map(([key, member]): [string, Found] => [key, look(member, key)]);
  const nulls = entries.some(([, member]) => member === null);
  return { members: new Map(members), name, text, agree: true, nulls };
}

function objectIn(text: string): ExactValue {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

function merged(a: Found | undefined, b: Found): Found {
  if (a === undefined || a === 'unknown') return b;
  if (b === 'unknown') return a;
  if (typeof a === 'string' && typeof b === 'string') return mergeTypes(a, b);
  if (typeof a === 'string' || typeof b === 'string') return mixed(a, b);
  if ('list' in a) return 'list' in b ? { list: merged(a.list, b.list) } : 'json';
  if ('list' in b || a.text !== b.text) return 'json';
  const keys = new Set([...a.members.keys(), ...b.members.keys()]);
  const agree = a.agree && b.agree && keys.size === a.members.size && keys.size === b.members.size;
  const members = [...keys].map((key): [string, Found] => [
    key,
    merged(a.members.get(key), b.members.get(key) ?? 'unknown'),
  ]);
  return { ...a, members: new Map(members), agree, nulls: a.nulls || b.nulls };
}

/** Arguments that are text once, and once no object: they stay text. */
function mixed(a: Found, b: Found): ColumnType {
  const isText = [a, b].every(
    (one) => one === 'string' || (typeof one === 'object' && 'text' in one && one.text),
  );
  return isText ? 'string' : 'json';
}

/** `loose`: the object may lack members: it is one of a list, and no part of arguments. */
function columnOf(found: Found, columns: ParquetColumns, loose = false, within = false): Column {
  if (typeof found === 'string') return found;
  if ('list' in found) return { list: columnOf(found.list, columns, !within, within) };
  const { name, text, agree, nulls, members } = found;
  const json = text ? 'string' : 'json';
  const open = within || isOpen(name);
  // Parquet has no struct without members.
  if (members.size === 0 || (!agree && !loose)) return json;
  if (open && (columns === 'json' || !agree || nulls)) return json;
  const struct = [...members].map(([key, member]): [string, Column] => [
    key,
    columnOf(member, columns, loose, open),
  ]);
  if (open && struct.some(([, member]) => !isSettled(member))) return json;
  return { struct: new Map(struct), ...(text && { text }) };
}

/** Whether all values of an argument have one type. */
function isSettled(column: Column): boolean {
  if (typeof column === 'string') return column !== 'json' && column !== 'unknown';
  return 'list' in column ? isSettled(column.list) : [...column.struct.values()].every(isSettled);
}
