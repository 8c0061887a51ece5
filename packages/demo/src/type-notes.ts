// What a comment says about a type: words, and behind them, in parentheses, what the type itself cannot say.
//
//   How far ahead (integer, minimum: 1)     integer     Any day (format: "date")

import type { JsonObject, JsonValue } from '@dragoman/core';
import { setMember } from '@dragoman/core/internal';
import { readJson } from './json-values.js';

/** Words and constraints as members of the schema of `type`. */
export function readNotes(notes: string, type: JsonObject): JsonObject {
  const whole = constraintsOf(notes);
  if (whole) return typed(whole, type);
  const open = openParenthesis(notes);
  const constraints = open < 0 ? undefined : constraintsOf(notes.slice(open + 2, -1));
  if (!constraints) return { description: notes };
  return { description: notes.slice(0, open), ...typed(constraints, type) };
}

/** Whether a constraint in the notes is about a list. */
export function speaksOfLists(notes: string): boolean {
  const { minItems, maxItems, uniqueItems } = readNotes(notes, {});
  return [minItems, maxItems, uniqueItems].some((value) => value !== undefined);
}

function typed({ integer, ...constraints }: JsonObject, type: JsonObject): JsonObject {
  return integer === true && type.type === 'number' ? { type: 'integer', ...constraints } : constraints;
}

/** Where ` (…)` at the end begins. */
function openParenthesis(notes: string): number {
  return notes.endsWith(')') ? notes.lastIndexOf(' (') : -1;
}

/** `integer, minimum: 1, format: "date"`, or nothing if it is anything else. */
function constraintsOf(text: string): JsonObject | undefined {
  const found: JsonObject = {};
  let rest = text;
  if (rest === 'integer' || rest.startsWith('integer, ')) {
    found.integer = true;
    rest = rest.slice('integer, '.length);
  }
  while (rest !== '') {
    const colon = rest.indexOf(': ');
    const key = rest.slice(0, Math.max(colon, 0));
    const end = colon < 0 ? -1 : valueEnd(rest, colon + 2);
    const value = end < 0 ? undefined : readJson(rest.slice(colon + 2, end));
    if (value === undefined || !isKeyword(key)) return undefined;
    setMember(found, key, value as JsonValue);
    rest = rest.slice(end + 2);
  }
  return found;
}

/** Where the value ends: at a comma outside brackets and strings, or at the end. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && '[{'.includes(character)) depth++;
    else if (!quoted && ']}'.includes(character)) depth--;
    else if (!quoted && depth === 0 && text.startsWith(', ', at)) return at;
  }
  return text.length;
}

function isKeyword(key: string): boolean {
  return key !== '' && key.length < 40 && !key.includes(' ') && !key.includes('\n');
}
