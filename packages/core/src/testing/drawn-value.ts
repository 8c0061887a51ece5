// Reads the text of a drawn value a second time, by its style, with JSON.parse and almost nothing of our readers, so
// that the result of a dialect's parser can be compared with it.

import type { ValueOf } from '../grammar/lower.js';
import type { ValueStyle } from '../grammar/spelling.js';
import type { JsonValue } from '../model/index.js';
import { createValidator } from '../schema/validate.js';

/** Gives the possible values of a text. Between tags it is a string or the JSON it spells, as its schema allows. */
export function meaningsOf({ style, schema }: ValueOf, written: string): JsonValue[] {
  if (style.type !== 'text') return [JSON.parse(asJson(written, style)) as JsonValue];
  const text = style.lines ? written.replace(LAYOUT[style.lines], '') : written;
  const spelled = spelledBy(style.words === 'python' ? (PYTHON_WORDS.get(text) ?? text) : text);
  if (spelled.length === 0) return [text];
  const validator = createValidator(schema ?? true);
  return [text, ...spelled].filter((value) => validator.check(value).length === 0);
}

/** Line breaks that a reader takes for layout. */
const LAYOUT = { written: /\r$/, read: /^\r?\n|\r?\n$|\r$/g };

const MAY_BE_JSON = /^\s*[-0-9tfn"[{]/;

function spelledBy(text: string): JsonValue[] {
  if (!MAY_BE_JSON.test(text)) return [];
  try {
    return [JSON.parse(text) as JsonValue];
  } catch {
    return [];
  }
}

const PYTHON_WORDS = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

const QUOTES = { json: ['"'], javascript: ['"'], python: ['"', "'"] };

function asJson(text: string, style: Exclude<ValueStyle, { type: 'text' }>): string {
  if (style.type === 'json') return text;
  const quotes = style.type === 'braces' ? [style.quote] : QUOTES[style.type];
  let out = '';
  let from = 0;
  for (;;) {
    const [at, quote] = firstOf(text, quotes, from);
    out += outsideStrings(text.slice(from, at), style);
    if (quote === undefined) return out.replaceAll('["__proto__"]:', '"__proto__":');
    const start = at + quote.length;
    const end = endOf(text, quote, start, style.type !== 'braces');
    out += stringAsJson(text.slice(start, end), style);
    from = end + quote.length;
  }
}

function firstOf(text: string, quotes: readonly string[], from: number): [at: number, quote?: string] {
  let first: [number, string?] = [text.length];
  for (const quote of quotes) {
    const at = text.indexOf(quote, from);
    if (at >= 0 && at < first[0]) first = [at, quote];
  }
  return first;
}

function endOf(text: string, quote: string, from: number, escapes: boolean): number {
  if (!escapes) return text.indexOf(quote, from);
  let at = from;
  while (!text.startsWith(quote, at)) at += text[at] === '\\' ? 2 : 1;
  return at;
}

function stringAsJson(inside: string, { type }: ValueStyle): string {
  if (type === 'braces') return JSON.stringify(inside);
  if (type !== 'python') return `"${inside}"`;
  const plain = inside.replaceAll(/\\.|"/gs, (found) =>
    found === "\\'" ? "'" : found === '"' ? '\\"' : found,
  );
  return `"${plain}"`;
}

/** Turns Python's words into JSON's, and quotes bare keys. */
function outsideStrings(text: string, { type }: ValueStyle): string {
  if (type === 'python')
    return text.replaceAll(/True|False|None/g, (word) => PYTHON_WORDS.get(word) as string);
  return text.replaceAll(/[A-Za-z_$][A-Za-z0-9_$]*:?/g, (word) =>
    word.endsWith(':') ? `"${word.slice(0, -1)}":` : word,
  );
}
