// The JSON objects in a text, in order, whatever stands between them: one a line, a list, or prose.

import type { JsonObject } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';

export function jsonObjects(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  let at = text.indexOf('{');
  while (at >= 0) {
    const end = objectEnd(text, at);
    if (end < 0) break;
    const value = readJson(text.slice(at, end));
    if (isObject(value)) found.push(value as JsonObject);
    at = text.indexOf('{', end);
  }
  return found;
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Behind the brace that closes the one at `start`, or -1. */
export function objectEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = stringEnd(text, at) - 1;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

/** Behind the quote that closes the one at `start`; the end of the text where there is none. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === '"') return at + 1;
  }
  return text.length;
}
