// Reads values that a caller passed in: every value is checked and copied, never trusted.

import type { Extra } from './conversation.js';
import { UsageError, type UsageErrorCode } from './errors.js';
import {
  ExactNumber,
  type ExactValue,
  exactObject,
  isForgetful,
  isObject,
  MAX_JSON_DEPTH,
  setMember,
} from './json.js';

/** The members of an object: own, enumerable, in order. */
export type Fields = Map<string, unknown>;

/** Gives the members of a plain object or of a Map. An undefined member counts as absent. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (!isObject(value) || value instanceof ExactNumber) return undefined;
  const entries: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  const fields: Fields = new Map();
  for (const [key, member] of entries) {
    if (typeof key === 'string' && member !== undefined) fields.set(key, member);
  }
  return fields;
}

/** Gives the first of these members that is present. APIs write `null` for absent. */
export function pick(fields: Fields, ...keys: string[]): unknown {
  for (const key of keys) {
    const value = fields.get(key);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Collects the members that are not `known`; for a value in our own form also those of its `extra`. */
export function extraOf(
  fields: Fields,
  known: readonly string[],
  own: boolean,
  path: string,
): Extra | undefined {
  const extra: Extra = {};
  for (const [key, value] of fields) {
    if (own && key === 'extra') continue;
    if (!known.includes(key)) setMember(extra, key, toOpaque(value, memberPath(path, key)));
  }
  for (const [key, value] of (own && fieldsOf(fields.get('extra'))) || []) {
    setMember(extra, key, toOpaque(value, memberPath(path, key)));
  }
  return Object.keys(extra).length > 0 ? extra : undefined;
}

/** Copies a value that is only passed on. What is no JSON (bytes, URLs, functions) is kept as it is. */
export function toOpaque(value: unknown, path: string, depth = 0): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_JSON_DEPTH) throw tooDeep('bad-conversation', path);
  if (Array.isArray(value)) return value.map((item) => toOpaque(item, path, depth + 1));
  if (!(value instanceof Map) && !isPlain(value)) return value;
  const copy: Extra = {};
  for (const [key, member] of fieldsOf(value) ?? []) setMember(copy, key, toOpaque(member, path, depth + 1));
  return copy;
}

/** Makes an exact copy of a value that must be JSON. */
export function toExact(value: unknown, code: UsageErrorCode, path: string): ExactValue {
  const copy = plainCopy(value, 0);
  return copy === ODD ? checkedCopy(value, code, path, 0) : copy;
}

/** Whether `toExact` gives an equal value: what JSON.parse gives, with no key that an object loses or moves. */
export function isExact(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return true;
  if (typeof value !== 'object' || depth >= MAX_JSON_DEPTH) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isExact(item, depth + 1)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false;
  for (const key in value)
    if (isForgetful(key) || !isExact((value as Record<string, unknown>)[key], depth + 1)) return false;
  return true;
}

const ODD = Symbol('a value that takes the checked copy');

/** Copies what JSON.parse gives, without the paths that only errors need: they cost more than the copy. */
function plainCopy(value: unknown, depth: number): ExactValue | typeof ODD {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value !== 'object' || depth >= MAX_JSON_DEPTH) return ODD;
  if (Array.isArray(value)) return plainItems(value, depth);
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return ODD;
  const copy: { [key: string]: ExactValue } = {};
  for (const key of Object.keys(value)) {
    const given = (value as Record<string, unknown>)[key];
    if (given === undefined) continue;
    const member = isForgetful(key) ? ODD : plainCopy(given, depth + 1);
    if (member === ODD) return ODD;
    copy[key] = member;
  }
  return copy;
}

function plainItems(list: readonly unknown[], depth: number): ExactValue[] | typeof ODD {
  const copy: ExactValue[] = [];
  for (const given of list) {
    const item = plainCopy(given ?? null, depth + 1);
    if (item === ODD) return ODD;
    copy.push(item);
  }
  return copy;
}

function checkedCopy(value: unknown, code: UsageErrorCode, path: string, depth: number): ExactValue {
  if (value === null || value instanceof ExactNumber) return value;
  if (typeof value === 'bigint') return new ExactNumber(value.toString());
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') throw unexpected(code, path, 'JSON', value);
  if (depth >= MAX_JSON_DEPTH) throw tooDeep(code, path);
  if (Array.isArray(value)) {
    return value.map((item, at) => checkedCopy(item ?? null, code, `${path}[${at}]`, depth + 1));
  }
  const written = (value as { toJSON?: unknown }).toJSON;
  if (typeof written === 'function') return checkedCopy(written.call(value), code, path, depth + 1);
  if (!(value instanceof Map) && !isPlain(value)) throw unexpected(code, path, 'JSON', value);
  const members = [...(fieldsOf(value) ?? [])].map(
    ([key, member]) => [key, checkedCopy(member, code, memberPath(path, key), depth + 1)] as const,
  );
  return exactObject(members);
}

/** Whether the object is plain, in any realm: its prototype is null or an Object.prototype. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function memberPath(path: string, key: string): string {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

export function unexpected(code: UsageErrorCode, path: string, expected: string, value: unknown): UsageError {
  return new UsageError(code, `expected ${expected}, found ${describe(value)}`, path);
}

/** Makes the error of a conversation. */
export function notExpected(path: string, expected: string, value: unknown): UsageError {
  return unexpected('bad-conversation', path, expected, value);
}

function tooDeep(code: UsageErrorCode, path: string): UsageError {
  return new UsageError(code, `expected at most ${MAX_JSON_DEPTH} levels and no cycle`, path);
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  }
  if (value instanceof ExactNumber) return value.text.slice(0, 40);
  if (typeof value === 'object')
    return isPlain(value) || value instanceof Map ? 'an object' : 'a class instance';
  return typeof value === 'function' ? 'a function' : String(value);
}
