// Reads tags as models write them: `<name key="value" other=5>`, at a position in a window. A tag that does not
// end within TAG_LIMIT characters is not a tag.

import { isSpace, NO, NOT_YET, spaceEnd } from './characters.js';

interface Attribute {
  name: string;
  value: string;
  /** Where the value's text begins and ends, quotes excluded. */
  start: number;
  end: number;
  quoted: boolean;
}

export type Scan<T> = T | typeof NO | typeof NOT_YET;

const TAG_LIMIT = 1024;

export interface Attributes {
  attributes: Attribute[];
  /** The position after the last attribute and white space. */
  at: number;
}

/** Reads `key="value"` pairs up to the first other character. Values are quoted with " or ', or bare words. */
export function readAttributes(text: string, from: number, ended: boolean): Scan<Attributes> {
  const found = readPairs(text, from, ended);
  // A tag still open beyond the limit is not a tag. Giving up here avoids scanning it again at each chunk.
  return found === NOT_YET && text.length - from > TAG_LIMIT ? NO : found;
}

function readPairs(text: string, from: number, ended: boolean): Scan<Attributes> {
  const attributes: Attribute[] = [];
  let at = from;
  for (;;) {
    at = spaceEnd(text, at);
    if (at - from > TAG_LIMIT) return NO;
    if (at >= text.length) return ended ? NO : NOT_YET;
    if (!isNameChar(text.charCodeAt(at))) return { attributes, at };
    const attribute = readAttribute(text, at, ended);
    if (attribute === NO || attribute === NOT_YET) return attribute;
    attributes.push(attribute);
    at = attribute.end + (attribute.quoted ? 1 : 0);
  }
}

function readAttribute(text: string, at: number, ended: boolean): Scan<Attribute> {
  let nameEnd = at;
  while (nameEnd < text.length && isNameChar(text.charCodeAt(nameEnd))) nameEnd++;
  const equals = spaceEnd(text, nameEnd);
  if (equals >= text.length) return ended ? NO : NOT_YET;
  if (text.charAt(equals) !== '=') return NO;
  const start = spaceEnd(text, equals + 1);
  if (start >= text.length) return ended ? NO : NOT_YET;
  const name = text.slice(at, nameEnd);
  const quote = text.charAt(start);
  if (quote !== '"' && quote !== "'") return readBare(text, name, start, ended);
  return readQuoted(text, name, start, quote, ended);
}

function readQuoted(
  text: string,
  name: string,
  start: number,
  quote: string,
  ended: boolean,
): Scan<Attribute> {
  for (let at = start + 1; at < text.length; at++) {
    if (at - start > TAG_LIMIT) return NO;
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === quote)
      return {
        name,
        value: unescapeValue(text.slice(start + 1, at)),
        start: start + 1,
        end: at,
        quoted: true,
      };
  }
  return ended || text.length - start > TAG_LIMIT ? NO : NOT_YET;
}

function readBare(text: string, name: string, start: number, ended: boolean): Scan<Attribute> {
  let end = start;
  while (end < text.length && !isBareEnd(text.charAt(end))) end++;
  if (end - start > TAG_LIMIT || (end < text.length && end === start)) return NO;
  if (end >= text.length) return ended ? NO : NOT_YET;
  return { name, value: text.slice(start, end), start, end, quoted: false };
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
]);

function unescapeValue(value: string): string {
  if (!value.includes('\\')) return value;
  let out = '';
  for (let at = 0; at < value.length; at++) {
    const known = value.charAt(at) === '\\' ? ESCAPES.get(value.charAt(at + 1)) : undefined;
    out += known ?? value.charAt(at);
    if (known !== undefined) at++;
  }
  return out;
}

/** Whether a name may contain the character: letters, digits, `:`, `_`, `-` and `.`. */
export function isNameChar(code: number): boolean {
  return (
    (code >= 48 && code <= 58) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e ||
    (code > 0x7f && code !== 0xff5c && code !== 0x2016 && code !== 0x3000 && code !== 0xa0)
  );
}

function isBareEnd(char: string): boolean {
  return char === '>' || char === '/' || char === '<' || char === '"' || isSpace(char.charCodeAt(0));
}
