// The quick way through JSON: JavaScript's own functions, where they give the same as the exact ones.
//
// JavaScript's JSON changes three things: digits of some numbers, the order of integer-like keys, and the meaning of
// `__proto__` when it is copied. Most rows hold none of them. Keys are checked in the parsed value, which is quick,
// since most of a row is strings. Digits can only be seen in the text: odd-numbers.ts looks for them.

import {
  type ExactValue,
  isForgetful,
  isObject,
  isPlainValue,
  keptJson,
  MAX_JSON_DEPTH,
  parseExact,
  stringifyJson,
} from '@dragoman/core/internal';
import { hasOddNumber } from '../forms/odd-numbers.js';
import { quickly } from './index.js';

export { isPlainValue } from '@dragoman/core/internal';

/** Parses as parseExact does, at the cost of JSON.parse wherever that is exact. Throws its SyntaxError. */
export function parseJson(text: string): ExactValue {
  // For invalid JSON, the error of the exact parser gives the position.
  return quickly(
    'json',
    () => parsePlain(text),
    () => parseExact(text),
  );
}

function parsePlain(text: string): ExactValue | undefined {
  try {
    const value = JSON.parse(text) as ExactValue;
    return isExactly(text, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes as stringifyJson in the compact style, at the cost of JSON.stringify wherever that is exact. */
export function writeJson(value: ExactValue): string {
  return quickly(
    'json',
    () => writePlain(value),
    () => stringifyJson(value, 'compact'),
  );
}

function writePlain(value: ExactValue): string | undefined {
  const tools = isObject(value) && !(value instanceof Map) ? keptList(value.tools as ExactValue) : undefined;
  if (tools !== undefined) return writeAround(value as { [key: string]: ExactValue }, tools);
  return isPlainValue(value) ? JSON.stringify(value) : undefined;
}

/** Gives the JSON of a list of shared tools, if each was written before. */
function keptList(list: ExactValue | undefined): string | undefined {
  if (!Array.isArray(list)) return undefined;
  let out = '';
  for (const item of list) {
    const text = keptJson(item);
    if (text === undefined) return undefined;
    out += out === '' ? text : `,${text}`;
  }
  return `[${out}]`;
}

/** Writes a row whose tools are already JSON text. */
function writeAround(row: { [key: string]: ExactValue }, tools: string): string {
  let out = '';
  for (const key of Object.keys(row)) {
    const member = row[key];
    if (member === undefined) continue;
    const text = key === 'tools' ? tools : writeJson(member);
    out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${text}`;
  }
  return `{${out}}`;
}

/** Whether the value that JSON.parse gave holds everything that the text does. */
export function isExactly(text: string, value: unknown): boolean {
  const found = lookInto(value, 0);
  if (found === 0) return true;
  return (found & FORGETFUL) === 0 && !hasOddNumber(text, (found & IN_LISTS) !== 0);
}

// What was found in a value, as bits.
const IN_OBJECTS = 1; // numbers after keys
const IN_LISTS = 2; // numbers in lists, or alone
const FORGETFUL = 4; // keys whose order may be lost, or too many levels: the rest is not searched

function lookInto(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? IN_LISTS : 0;
  if (depth >= MAX_JSON_DEPTH) return FORGETFUL;
  return Array.isArray(value)
    ? lookIntoList(value, depth)
    : lookIntoObject(value as Record<string, unknown>, depth);
}

function lookIntoList(list: unknown[], depth: number): number {
  let found = 0;
  for (const item of list) {
    if (typeof item === 'number') found |= IN_LISTS;
    else if (typeof item === 'object') found |= lookInto(item, depth + 1);
    if (found >= FORGETFUL) return found;
  }
  return found;
}

function lookIntoObject(members: Record<string, unknown>, depth: number): number {
  let found = 0;
  for (const key in members) {
    const first = key.charCodeAt(0);
    if ((first === 0x5f || first <= 0x39) && isForgetful(key)) return FORGETFUL;
    const member = members[key];
    if (typeof member === 'number') found |= IN_OBJECTS;
    else if (typeof member === 'object') found |= lookInto(member, depth + 1);
    if (found >= FORGETFUL) return found;
  }
  return found;
}
