// The quick way through JSON, where it gives the same as the exact one.
//
// JavaScript's own JSON changes three things: digits of some numbers, the place of integer-like keys, and what
// `__proto__` means when it is copied. Most rows hold none of them. Keys are looked at in the value, which is quick,
// since most of a row are strings. Numbers only show in the text: odd-numbers.ts looks for them.

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

export { isPlainValue } from '@dragoman/core/internal';

import { hasOddNumber } from '../forms/odd-numbers.js';
import { quickly } from './index.js';

/** As parseExact, at the cost of JSON.parse wherever that is exact. Throws its SyntaxError. */
export function parseJson(text: string): ExactValue {
  // Of what is no JSON, the exact reader says where it breaks off.
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

/** As stringifyJson in the compact style, at the cost of JSON.stringify wherever that is exact. */
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

/** The text of a list of tools that rows share, each of which was written before. */
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

/** A row whose tools are written already. */
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

/** Whether the value that JavaScript read from this text keeps all that the text says. */
export function isExactly(text: string, value: unknown): boolean {
  const found = lookInto(value, 0);
  if (found === 0) return true;
  return (found & FORGETFUL) === 0 && !hasOddNumber(text, (found & IN_LISTS) !== 0);
}

// What is found in a value, as bits.
const IN_OBJECTS = 1; // numbers behind keys
const IN_LISTS = 2; // numbers in lists, or alone
const FORGETFUL = 4; // keys that it may have forgotten the place of, or too many levels: the rest is not looked at

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
