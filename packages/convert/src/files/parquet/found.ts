// What the values at one place of all rows have been so far, and why a struct could not hold them as they are: other
// keys or types, a null, which it cannot tell from an absent key, a number that would be written otherwise.

import { type ExactValue, exactEntries, isExactObject, parseExact, readJson } from '@dragoman/core/internal';
import { type ColumnType, changedAs, isLong, mergeTypes, typeOf } from './columns.js';
import { isOpen } from './open-objects.js';

export type Found = FoundLeaf | FoundList | FoundObject;

/** The first row, from 1, whose value a struct could not hold, and why. */
interface Reason {
  row: number;
  why: string;
}

interface FoundLeaf {
  /** `long`: integers, of which one is no double. */
  type: ColumnType | 'long';
  row: number;
  apart?: Reason | undefined;
  /** Some of the values are arguments or a schema. */
  isOpen?: boolean;
}

interface FoundList {
  list: Found;
  row: number;
}

export interface FoundObject {
  members: Map<string, Found>;
  name: string;
  /** The object is JSON text. */
  text: boolean;
  /** All objects have the same keys. */
  agree: boolean;
  /** The first row that has it. */
  row: number;
  apart?: Reason | undefined;
  /** The rows whose objects have their keys in another order than the first one, each once and in order. */
  reordered?: number[] | undefined;
}

/** `forStructs`: also looks for what a struct would change. */
export function look(value: ExactValue, name: string, row: number, forStructs: boolean): Found {
  if (Array.isArray(value)) {
    const items = value.map((item) => look(item, name, row, forStructs));
    return { list: items.reduce<Found>((all, one) => merged(all, one), { type: 'unknown', row }), row };
  }
  const text = name === 'arguments' && typeof value === 'string';
  const object = text ? objectIn(value) : value;
  if (!isExactObject(object)) return lookAtLeaf(value, row, forStructs);
  const entries = exactEntries(object);
  const members = entries.map(([key, member]): [string, Found] => [key, look(member, key, row, forStructs)]);
  const why = forStructs ? whyNoStruct(entries, text ? value : undefined) : undefined;
  const apart = why === undefined ? undefined : { row, why };
  return { members: new Map(members), name, text, agree: true, row, apart };
}

function whyNoStruct(entries: readonly [string, ExactValue][], text: string | undefined): string | undefined {
  if (entries.some(([, member]) => member === null)) return 'a key is null';
  return text !== undefined && hasDuplicate(text) ? 'a key stands twice' : undefined;
}

function lookAtLeaf(value: ExactValue, row: number, forStructs: boolean): FoundLeaf {
  const why = forStructs ? changedAs(value) : undefined;
  return {
    type: isLong(value) ? 'long' : typeOf(value),
    row,
    apart: why === undefined ? undefined : { row, why },
  };
}

function objectIn(text: string): ExactValue {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

function hasDuplicate(text: string): boolean {
  return (readJson(text)?.duplicates.length ?? 0) > 0;
}

/** `b` comes from later rows than `a`, or from the same one. */
export function merged(a: Found, b: Found): Found {
  if ('type' in a && a.type === 'unknown') return b;
  if ('type' in b && b.type === 'unknown') return a;
  if ('type' in a && 'type' in b) return mergedLeaves(a, b);
  if ('list' in a && 'list' in b) return { ...a, list: merged(a.list, b.list) };
  if ('members' in a && 'members' in b && a.text === b.text) return mergedObjects(a, b);
  return mixed(a, b);
}

function mergedLeaves(a: FoundLeaf, b: FoundLeaf): FoundLeaf {
  const isInteger = [a, b].every(({ type }) => type === 'integer' || type === 'long');
  const isSame = a.type === b.type || isInteger;
  const hasLong = a.type === 'long' || b.type === 'long';
  const types = [a.type, b.type].sort().join();
  const why = types === 'double,integer' || types === 'double,long' ? 'integers and fractions' : OTHER_TYPES;
  return {
    type: isSame ? (hasLong ? 'long' : a.type) : hasLong ? 'json' : mergeTypes(shortOf(a), shortOf(b)),
    row: a.row,
    apart: earliest([a.apart, b.apart, isSame ? undefined : { row: b.row, why }]),
    isOpen: a.isOpen === true || b.isOpen === true,
  };
}

const OTHER_TYPES = 'values of different types';

const shortOf = ({ type }: FoundLeaf): ColumnType => (type === 'long' ? 'integer' : type);

function mergedObjects(a: FoundObject, b: FoundObject): FoundObject {
  const keys = new Set([...a.members.keys(), ...b.members.keys()]);
  const hasSame = keys.size === a.members.size && keys.size === b.members.size;
  const members = [...keys].map((key): [string, Found] => {
    const [one, other] = [a.members.get(key), b.members.get(key)];
    return [key, one && other ? merged(one, other) : ((one ?? other) as Found)];
  });
  return {
    ...a,
    members: new Map(members),
    agree: a.agree && b.agree && hasSame,
    apart: earliest([a.apart, b.apart, hasSame ? undefined : { row: b.row, why: 'other keys' }]),
    reordered: isReordered(a, b) ? withRow(a.reordered, b.row) : a.reordered,
  };
}

function isReordered(a: FoundObject, b: FoundObject): boolean {
  if (b.reordered) return true;
  const keys = b.members.keys();
  for (const key of a.members.keys()) if (keys.next().value !== key) return true;
  return false;
}

/** Adds to the list itself: copies would make a file of such rows quadratic. */
function withRow(before: number[] = [], row: number): number[] {
  if (before.at(-1) !== row) before.push(row);
  return before;
}

/** Values that are objects once, and once not. Arguments that are text once, and once no object, stay text. */
function mixed(a: Found, b: Found): FoundLeaf {
  const both = [a, b];
  const isText = both.every((one) => ('type' in one ? one.type === 'string' : 'text' in one && one.text));
  const why = isText ? 'text that is no JSON object' : OTHER_TYPES;
  return {
    type: isText ? 'string' : 'json',
    row: a.row,
    apart: earliest([...both.map((one) => ('list' in one ? undefined : one.apart)), { row: b.row, why }]),
    isOpen: both.some((one) => ('members' in one ? isOpen(one.name) : 'type' in one && one.isOpen === true)),
  };
}

/** Gives the first reason why the values cannot be structs, or parts of one; undefined if they can. */
export function reasonIn(found: Found): Reason | undefined {
  if ('list' in found) return reasonIn(found.list);
  const { row, apart } = found;
  if ('type' in found) {
    if (apart) return apart;
    if (found.type === 'unknown') return { row, why: 'a list of no type' };
    return found.type === 'json' ? { row, why: 'a number that no column holds' } : undefined;
  }
  const { members } = found;
  const own = apart ?? (members.size === 0 ? { row, why: 'an object without keys' } : undefined);
  return earliest([own, ...[...members.values()].map(reasonIn)]);
}

function earliest(reasons: readonly (Reason | undefined)[]): Reason | undefined {
  return reasons.reduce((first, one) => (first && (!one || first.row <= one.row) ? first : one), undefined);
}
