// Strips and prints text as Python's str methods do, because vendors' templates rely on them.

import { ExactNumber, type ExactValue, exactEntries, stringifyJson } from '../../model/index.js';

/**
 * The white space that str.strip() removes. trim() differs: it keeps U+001C to U+001F and U+0085, and removes U+FEFF.
 */
const WHITE_SPACE = new Set(
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
    '\u2028\u2029\u202f\u205f\u3000',
);
const BREAK = new Set('\n');

export function strip(text: string): string {
  return stripStart(stripEnd(text, WHITE_SPACE), WHITE_SPACE);
}

export function stripTrailing(text: string): string {
  return stripEnd(text, WHITE_SPACE);
}

export function stripBreaks(text: string): string {
  return stripStart(stripEnd(text, BREAK), BREAK);
}

export function stripLeadingBreaks(text: string): string {
  return stripStart(text, BREAK);
}

// Loops, because a regular expression anchored at the end is tried at every white space of the text.
function stripStart(text: string, off: ReadonlySet<string>): string {
  let start = 0;
  while (start < text.length && off.has(text.charAt(start))) start++;
  return text.slice(start);
}

function stripEnd(text: string, off: ReadonlySet<string>): string {
  let end = text.length;
  while (end > 0 && off.has(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Splits reasoning from the text of a turn, as the templates of GLM and Qwen do. */
export function splitThinking(text: string): { reasoning: string; text: string } {
  const [first = '', ...rest] = text.split('</think>');
  if (rest.length === 0) return { reasoning: '', text };
  const thought = stripEnd(first, BREAK).split('<think>').at(-1) ?? '';
  return { reasoning: stripLeadingBreaks(thought), text: stripLeadingBreaks(rest.at(-1) ?? '') };
}

/** Prints a value as str() does: `True`, `None`, and strings as they are. */
export function toPythonText(value: ExactValue): string {
  return typeof value === 'string' ? value : toPythonRepr(value);
}

/** Prints a value as repr() does: strings in quotes. */
export function toPythonRepr(value: ExactValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || value instanceof ExactNumber) return stringifyJson(value, 'python');
  if (Array.isArray(value)) return `[${value.map(toPythonRepr).join(', ')}]`;
  const members = exactEntries(value).map(([key, member]) => `${quoted(key)}: ${toPythonRepr(member)}`);
  return `{${members.join(', ')}}`;
}

/** Quotes with single quotes, unless double ones save an escape. Unprintable characters stay: a model can read them. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return quote + inner + quote;
}

const WORDS: readonly [json: string, python: string][] = [
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
];

/** `spell` rewrites each string, quotes included. Default: unchanged. */
export function toPythonWords(json: string, spell = (string: string) => string): string {
  let python = '';
  for (let at = 0; at < json.length; ) {
    const isString = json[at] === '"';
    const word = WORDS.find(([own]) => json.startsWith(own, at));
    const end = isString ? stringEnd(json, at) : at + (word?.[0].length ?? 1);
    python += isString ? spell(json.slice(at, end)) : (word?.[1] ?? json[at]);
    at = end;
  }
  return python;
}

/** Gives the offset after the quote that closes the string at `at`. */
function stringEnd(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}
