// Writes JSON text in the two spellings that prompts use: JavaScript's, and that of Python's json.dumps with
// ensure_ascii=False, which is what chat templates print.
//
// Both spell strings alike, and both spell a lone surrogate as an escape here: Python would print it as it is
// and fail when it encodes, and a prompt must be well-formed. They differ in separators and in numbers.

import { ExactNumber, type ExactValue, type JsonObject, type JsonPrimitive, type JsonValue } from './json.js';

export type JsonStyle = 'compact' | 'python';

export interface Layout {
  number(value: number): string;
  colon: string;
  comma: string;
  /** The texts of keys, with the colon. */
  keys: Map<string, string>;
  /** Writes a list or an object in several lines. Absent: all on one line. */
  lines?(value: JsonStructure, layout: Layout, margin: string): string;
}

export type JsonStructure = Exclude<ExactValue, JsonPrimitive | ExactNumber>;

const spacedKeys = new Map<string, string>();
const compact: Layout = { number: (value) => JSON.stringify(value), colon: ':', comma: ',', keys: new Map() };
const python: Layout = { number: pythonNumber, colon: ': ', comma: ', ', keys: spacedKeys };
export const spaced: Layout = { ...python, number: compact.number };

/**
 * Writes JSON: `compact` as JSON.stringify does, `python` as json.dumps(ensure_ascii=False). Exact numbers keep their
 * text.
 */
export function stringifyJson(value: ExactValue | JsonValue, style: JsonStyle): string {
  const texts = typeof value === 'object' && value !== null && kept.get(value);
  if (!texts) return writeJson(value, layoutOf(style));
  texts[style] ??= writeJson(value, layoutOf(style));
  return texts[style];
}

/** Writes an object in both spellings at once: most of the time goes into its strings, which are spelled alike. */
export function inBothSpellings(value: JsonObject): Record<JsonStyle, string> {
  let [inCompact, inPython] = ['', ''];
  for (const key of Object.keys(value)) {
    const member = value[key] as JsonValue | undefined;
    if (member === undefined) continue;
    const isFirst = inCompact === '';
    const text = writeJson(member, compact);
    const other = typeof member === 'string' ? text : writeJson(member, python);
    inCompact += (isFirst ? '' : compact.comma) + keyText(key, compact) + text;
    inPython += (isFirst ? '' : python.comma) + keyText(key, python) + other;
  }
  return { compact: `{${inCompact}}`, python: `{${inPython}}` };
}

/** Writes JSON with Python's separators; numbers keep their spelling, unlike in Python. */
export function writeSpaced(value: ExactValue): string {
  return writeJson(value, spaced);
}

export type KeptTexts = Partial<Record<JsonStyle, string>>;

/** Cached texts of values that are frozen and written many times. */
export const kept = new WeakMap<object, KeptTexts>();

/** Gives the compact text of a kept value; undefined for all others. */
export function keptJson(value: ExactValue | undefined): string | undefined {
  const isKept = typeof value === 'object' && value !== null && kept.has(value);
  return isKept ? stringifyJson(value, 'compact') : undefined;
}

/** Marks a value for caching: its text is made once. The value must never change again. */
export function keepJson(value: ExactValue): void {
  if (typeof value === 'object' && value !== null && !kept.has(value)) kept.set(value, {});
}

export function layoutOf(style: JsonStyle): Layout {
  return style === 'python' ? python : compact;
}

export function writeJson(value: ExactValue, layout: Layout, margin = ''): string {
  if (typeof value === 'number') return layout.number(value);
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return layout.lines ? layout.lines(value, layout, margin) : writeLine(value, layout);
}

/** Writes on one line, the usual case, without building an intermediate list. */
function writeLine(value: JsonStructure, layout: Layout): string {
  let out = '';
  if (Array.isArray(value)) {
    for (const item of value) out += (out === '' ? '' : layout.comma) + writeJson(item, layout);
    return `[${out}]`;
  }
  if (value instanceof Map) {
    for (const [key, member] of value) out += writeMember(key, member, layout, out === '');
    return `{${out}}`;
  }
  for (const key of Object.keys(value)) out += writeMember(key, value[key], layout, out === '');
  return `{${out}}`;
}

function writeMember(key: string, member: ExactValue | undefined, layout: Layout, isFirst: boolean): string {
  if (member === undefined) return '';
  return (isFirst ? '' : layout.comma) + keyText(key, layout) + writeJson(member, layout);
}

/** The same few keys make up every schema: their texts are kept, up to so many. */
const MOST_KEYS = 1024;
const LONGEST_KEY = 40;

function keyText(key: string, { keys, colon }: Layout): string {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(key) + colon;
  if (keys.size < MOST_KEYS && key.length <= LONGEST_KEY) keys.set(key, text);
  return text;
}

/**
 * Writes a number as Python prints it after reading the text that JavaScript prints: `100000000000000000000` is an
 * integer to Python and keeps its digits, `1e+21` is not. Python's exponents have two digits, and begin below 0.0001.
 */
function pythonNumber(value: number): string {
  const small = value !== 0 && Math.abs(value) < 1e-4;
  const text = small ? value.toExponential() : JSON.stringify(value);
  const exponent = text.indexOf('e-') + 2;
  return exponent > 1 && exponent === text.length - 1
    ? `${text.slice(0, exponent)}0${text.slice(exponent)}`
    : text;
}
