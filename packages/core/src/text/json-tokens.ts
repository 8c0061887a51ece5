// The tokens of JSON as models write it: numbers and words, and bounded lookahead for a key or a value.

import { NOT_YET } from './characters.js';

/** How many white space characters the lookahead skips to see whether a quote ends its string. */
export const LOOK = 256;
/** The longest key or word that the lookahead recognises after a quote whose comma is missing. */
const KEY_LOOK = 128;

export function lookPast(text: string, from: number): number {
  return blankEnd(text, from, from + LOOK);
}

export function blankEnd(text: string, from: number, limit = text.length): number {
  let at = from;
  while (at < text.length && at < limit && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Whether a key and its colon are at `at`: 1 yes, 0 no, NOT_YET. */
export function keyAhead(text: string, at: number, ended: boolean): number {
  const quote = text.charAt(at);
  const quoted = quote === '"' || quote === "'";
  let here = quoted ? at + 1 : at;
  const limit = Math.min(text.length, here + KEY_LOOK);
  if (quoted) while (here < limit && text.charAt(here) !== quote && text.charCodeAt(here) !== 10) here++;
  else while (here < limit && isWordChar(text.charCodeAt(here))) here++;
  if (here >= text.length) return ended ? 0 : NOT_YET;
  if (here >= limit || (quoted && text.charAt(here) !== quote) || here === at) return 0;
  const colon = lookPast(text, quoted ? here + 1 : here);
  if (colon >= text.length) return ended ? 0 : NOT_YET;
  return text.charAt(colon) === ':' ? 1 : 0;
}

/** Whether the next array element is at `at`, after a string and white space without a comma: 1, 0 or NOT_YET. */
export function valueAhead(text: string, at: number, ended: boolean): number {
  if ('"{['.includes(text.charAt(at))) return 1;
  let here = at;
  while (here < text.length && here - at < KEY_LOOK && isWordChar(text.charCodeAt(here))) here++;
  if (here === at) return 0;
  const next = lookPast(text, here);
  if (next >= text.length) return ended ? 0 : NOT_YET;
  return (text.charAt(next) === ',' || text.charAt(next) === ']') &&
    wordToJson(text.slice(at, here)) !== undefined
    ? 1
    : 0;
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const WORDS = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

/** Gives a bare word as JSON: unchanged, repaired, or undefined if it is neither a number nor a literal. */
export function wordToJson(word: string): string | undefined {
  return WORDS.get(word) ?? (JSON_NUMBER.test(word) ? word : repairNumber(word));
}

function repairNumber(word: string): string | undefined {
  if (!/[0-9]/.test(word)) return undefined;
  let number = word.replaceAll('_', '');
  if (number.startsWith('+')) number = number.slice(1);
  if (number.startsWith('.')) number = `0${number}`;
  if (number.startsWith('-.')) number = `-0${number.slice(1)}`;
  if (number.endsWith('.')) number = `${number}0`;
  if (JSON_NUMBER.test(number)) return number;
  if (/^0[xX][0-9a-fA-F]+$/.test(number)) return BigInt(number).toString();
  // Leading zeros may carry meaning (`007`), so the digits are kept as a string.
  return /^0[0-9]+$/.test(number) ? JSON.stringify(number) : undefined;
}

export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xa0 || code === 0xfeff;
}

/** Whether the character at `at`, after a backslash, makes an escape of JSON other than `\\u`. */
export function isJsonEscape(text: string, at: number): boolean {
  return at < text.length && '"\\/bfnrt'.includes(text.charAt(at));
}

export function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** Whether the character is a letter, a digit, or one of `+ - . _ $`. */
export function isWordChar(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x5f ||
    code === 0x24 ||
    (code > 0x7f && code !== 0xa0 && code !== 0xfeff)
  );
}

export function isWordStart(char: string): boolean {
  const code = char.charCodeAt(0);
  return isWordChar(code) && code !== 0x2b && code !== 0x2e && code !== 0xa0 && code !== 0xfeff;
}

/** Escapes text for the inside of a JSON string. Short plain pieces, the usual case in a stream, skip JSON.stringify. */
export function escapeText(text: string): string {
  if (text.length > 32) return JSON.stringify(text).slice(1, -1);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code < 0xe000))
      return JSON.stringify(text).slice(1, -1);
  }
  return text;
}

export function escapeControl(code: number): string {
  return JSON.stringify(String.fromCharCode(code)).slice(1, -1);
}

/** Gives the repair of a string that became this JSON text. */
export function repairOfString(json: string): 'string-as-json' | 'string-as-scalar' {
  return /^[n[{]/.test(json) ? 'string-as-json' : 'string-as-scalar';
}
