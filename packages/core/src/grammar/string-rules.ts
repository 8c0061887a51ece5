// Rules for strings: how each style writes one, and the formats that are regular languages.

import { ANY_CHAR, charsOf, DIGIT, except, HEX, JSON_CHAR, union } from './char-ranges.js';
import { type CharRanges, chars, choice, literal, type Node, optional, repeat, sequence } from './node.js';

/** How one style writes a string: its quotes, the characters written unchanged, and the escapes. */
export interface StringStyle {
  /** A key for the rules of this style; equal for styles that write strings alike. */
  key: string;
  quote: string;
  ranges: CharRanges;
  escape?: Node;
  without: readonly string[];
  /** Another pair of quotes. */
  or?: StringStyle;
  /** Writes one text as it is between the quotes. Undefined if it cannot be written. */
  spell(text: string): string | undefined;
}

const hex = chars(HEX);
/** Four hex digits that are not a surrogate. */
const unit = choice(
  sequence(chars(except(HEX, charsOf('dD'))), hex, hex, hex),
  sequence(chars(charsOf('dD')), chars(charsOf('01234567')), hex, hex),
);

const jsonEscape = sequence(literal('\\'), choice(chars(charsOf('"\\/bfnrt')), sequence(literal('u'), unit)));

const pythonEscape = sequence(
  literal('\\'),
  choice(chars(charsOf('"\'\\nrt')), sequence(literal('u'), unit)),
);

export function jsonString(without: readonly string[]): StringStyle {
  return {
    key: `json ${JSON.stringify(without)}`,
    quote: '"',
    ranges: JSON_CHAR,
    escape: jsonEscape,
    without,
    spell: (text) => escaped(JSON.stringify(text).slice(1, -1), without),
  };
}

/** The characters that need no escape in single quotes. */
const SINGLE_QUOTED = union([...except(JSON_CHAR, charsOf("'")), ...charsOf('"')]);

/** Strings in double or single quotes: both are valid Python, and vendors differ. */
export function pythonString(without: readonly string[]): StringStyle {
  const json = jsonString(without);
  const single: StringStyle = {
    ...json,
    key: `python ' ${json.key}`,
    quote: "'",
    ranges: SINGLE_QUOTED,
    escape: pythonEscape,
    spell: (text) => escaped(inSingleQuotes(text), without),
  };
  return { ...json, key: `python " ${json.key}`, escape: pythonEscape, or: single };
}

function inSingleQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}

export function bareString(quote: string, without: readonly string[]): StringStyle {
  return rawString(quote, quote === '' ? without : [quote, ...without]);
}

export function rawString(quote: string, without: readonly string[]): StringStyle {
  const holds = (text: string) => without.some((string) => string !== '' && text.includes(string));
  const key = `raw ${JSON.stringify([quote, without])}`;
  return { key, quote, ranges: ANY_CHAR, without, spell: (text) => (holds(text) ? undefined : text) };
}

/** Escapes the first character of every forbidden string. */
function escaped(json: string, without: readonly string[]): string | undefined {
  let out = json;
  for (const string of without) {
    if (string === '' || !out.includes(string)) continue;
    const code = string.charCodeAt(0).toString(16).padStart(4, '0');
    out = out.replaceAll(string, `\\u${code}${string.slice(1)}`);
  }
  return out;
}

// --- formats -------------------------------------------------------------------------------------------

const digit = chars(DIGIT);
const digits = (count: number) => repeat(digit, count, count);
const between = (from: string, to: string) => chars([[from.charCodeAt(0), to.charCodeAt(0)]]);

const month = choice(sequence(literal('0'), between('1', '9')), sequence(literal('1'), between('0', '2')));
/** Days 01 to 31, whatever the month: the grammar allows the 30th of February. */
const day = choice(
  sequence(literal('0'), between('1', '9')),
  sequence(between('1', '2'), digit),
  sequence(literal('3'), between('0', '1')),
);
const hour = choice(sequence(between('0', '1'), digit), sequence(literal('2'), between('0', '3')));
const sixty = sequence(between('0', '5'), digit);
const date = sequence(digits(4), literal('-'), month, literal('-'), day);
const zone = choice(literal('Z'), sequence(choice(literal('+'), literal('-')), hour, literal(':'), sixty));
const clock = sequence(hour, literal(':'), sixty, literal(':'), sixty);
const time = sequence(clock, optional(sequence(literal('.'), repeat(digit, 1, 9))), zone);
const hexes = (count: number) => repeat(hex, count, count);
const octet = choice(
  digit,
  sequence(between('1', '9'), digit),
  sequence(literal('1'), digits(2)),
  sequence(literal('2'), between('0', '4'), digit),
  sequence(literal('25'), between('0', '5')),
);
const word = chars([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
]);
const label = sequence(word, repeat(choice(word, literal('-')), 0, 30), word);
const hostname = sequence(label, repeat(sequence(literal('.'), label), 1, 5));

const FORMATS = new Map<string, Node>([
  ['date', date],
  ['time', time],
  ['date-time', sequence(date, literal('T'), time)],
  ['uuid', sequence(hexes(8), ...[4, 4, 4, 12].flatMap((count) => [literal('-'), hexes(count)]))],
  ['ipv4', sequence(octet, literal('.'), octet, literal('.'), octet, literal('.'), octet)],
  ['hostname', hostname],
  [
    'email',
    sequence(word, repeat(choice(word, chars(charsOf('._+-'))), 0, 40), word, literal('@'), hostname),
  ],
]);

/** Gives the rule of a format that a grammar can express. */
export function formatRule(format: unknown): Node | undefined {
  return typeof format === 'string' ? FORMATS.get(format) : undefined;
}
