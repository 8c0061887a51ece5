// The quick way through JSON, where it gives the same as the exact one.
//
// JavaScript's own JSON changes three things: digits of some numbers, the place of integer-like keys, and
// `__proto__` is not safe to copy. Most rows hold none of them. One scan of the text tells; strings, which are most
// of it, are skipped by the engine's own search.

import {
  ExactNumber,
  type ExactValue,
  isForgetful,
  MAX_JSON_DEPTH,
  parseExact,
  stringifyJson,
} from '../model/index.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** As parseExact, at the cost of JSON.parse wherever that is exact. Throws its SyntaxError. */
export function parseJson(text: string): ExactValue {
  if (!isPlainText(text)) return parseExact(text);
  try {
    return JSON.parse(text);
  } catch {
    // Says where, and what was expected.
    return parseExact(text);
  }
}

/** As stringifyJson in the compact style, at the cost of JSON.stringify wherever that is exact. */
export function writeJson(value: ExactValue): string {
  return isPlainValue(value) ? JSON.stringify(value) : stringifyJson(value, 'compact');
}

/** Whether JSON.parse keeps all that this text says. Of a text that is no JSON it may say either. */
export function isPlainText(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = closingQuote(text, at + 1);
      const next = afterSpace(text, end + 1);
      if (text.charCodeAt(next) === COLON && mayForget(text, at + 1, end)) return false;
      at = next;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = numberEnd(text, at);
      if (!isPlainNumber(text, at, end, code)) return false;
      at = end;
    } else {
      if ((code === 0x7b || code === 0x5b) && ++depth > MAX_JSON_DEPTH) return false;
      if (code === 0x7d || code === 0x5d) depth--;
      at++;
    }
  }
  return true;
}

/** The place of the quote that ends a string, or the end of a text that has none. */
function closingQuote(text: string, start: number): number {
  for (let from = start; ; ) {
    const at = text.indexOf('"', from);
    if (at < 0) return text.length;
    let before = at - 1;
    while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes escape each other.
    if ((at - before) % 2 === 1) return at;
    from = at + 1;
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
  return at;
}

/** Whether the key between these places is one that a plain object forgets. Escapes may hide it. */
function mayForget(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  const digit = first >= 0x30 && first <= 0x39;
  if (!digit && first !== 0x5f && first !== BACKSLASH) return false;
  const key = text.slice(start, end);
  if (!key.includes('\\')) return isForgetful(key);
  try {
    return isForgetful(JSON.parse(`"${key}"`));
  } catch {
    return true;
  }
}

function numberEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const inside =
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2e ||
      code === 0x65 ||
      code === 0x45 ||
      code === 0x2b ||
      code === 0x2d;
    if (!inside) break;
  }
  return at;
}

function isPlainNumber(text: string, start: number, end: number, first: number): boolean {
  if (end - start === 1) return first !== 0x2d;
  const number = text.slice(start, end);
  return String(Number(number)) === number;
}

/** Whether JSON.stringify writes this value as it is. */
export function isPlainValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && !isPlainValue(item)) return false;
    return true;
  }
  if (value instanceof ExactNumber || value instanceof Map) return false;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object' && member !== null && !isPlainValue(member)) return false;
  }
  return true;
}
