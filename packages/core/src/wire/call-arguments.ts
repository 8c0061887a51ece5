// The arguments of a call as text.

import type { ToolCall } from '../model/index.js';
import { ExactNumber, isObject, stringifyJson, tryParseExact } from '../model/index.js';
import { parsedJson } from './values.js';

/**
 * Gives the arguments as the model wrote them, or in the spelling they `came` in, unless the input was changed since.
 */
export function argumentsOf({ raw, input }: Pick<ToolCall, 'raw' | 'input'>, came?: string): string {
  const written = JSON.stringify(input);
  if (raw === undefined) return written;
  // Most models write compact JSON: reading it again would take three times as long.
  const isSame = raw === written || JSON.stringify(parsedJson(raw)) === written;
  return isSame ? (came ?? raw) : written;
}

/**
 * Gives the arguments of a call for the client that runs it: a key that stands in them twice is written once, since the
 * client's reader could take the value that was not checked.
 */
export function answeredArguments(call: Pick<ToolCall, 'raw' | 'input'>): string {
  const text = argumentsOf(call);
  return hasDuplicates(text, call.input) ? withoutDuplicates(text, call.input) : text;
}

/** Gives the JSON text of this value with each key once: the last one counts. Numbers keep all of their digits. */
export function withoutDuplicates(json: string, value: unknown): string {
  const exact = tryParseExact(json);
  return exact === undefined ? JSON.stringify(value) : stringifyJson(exact, 'compact');
}

/** Whether a key stands twice in one object of the JSON text of this value, which may be exact. */
export function hasDuplicates(json: string, value: unknown): boolean {
  return membersIn(json) > membersOf(value);
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Counts the members of all objects of a JSON text, duplicates included: each has a colon outside of strings. */
function membersIn(json: string): number {
  let members = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === COLON) members++;
    else if (code === QUOTE) at = closingQuote(json, at);
  }
  return members;
}

function closingQuote(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at > 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0;
  const values: unknown[] = value instanceof Map ? [...value.values()] : Object.values(value);
  let members = Array.isArray(value) ? 0 : values.length;
  for (const inner of values) members += membersOf(inner);
  return members;
}

/** Arguments as the JSON text of an object; `broken` is the text as it came, where it is none. */
interface ObjectText {
  raw: string;
  broken?: string;
}

/**
 * Reads arguments from the history. Text that is no JSON object (cut off, most likely) becomes `{"arguments": text}`:
 * the agent has already answered that call with an error, and the rest of its session must not be refused because of
 * it. A value that should have been text or an object counts as its JSON.
 */
export function readArguments(value: unknown): ObjectText {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const raw = objectText(text);
  return raw === text ? { raw } : { raw, broken: text };
}

function objectText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return '{}';
  // Undefined if the text is no JSON, or is nested too deep.
  const value = tryParseExact(text);
  return isObject(value) && !(value instanceof ExactNumber) ? text : JSON.stringify({ arguments: text });
}
