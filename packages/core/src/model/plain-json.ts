// JSON in Python's spelling of values that are plain: neither Maps nor exact numbers. It takes half of the time of
// `stringifyJson`, which gives the same (plain-json.test.ts). A file of its own, so that a page does not load it.

import type { JsonValue } from './json.js';
import { stringifyJson } from './stringify-json.js';

/** The same few keys and words make up every schema: their texts are kept, up to so many. */
const MOST_TEXTS = 1024;
const LONGEST_KEY = 40;
const LONGEST_WORD = 8;

/** The texts of keys, as the first of an object and as another, with the colon. */
const keys = new Map<string, KeyTexts>();
const words = new Map<string, string>();

interface KeyTexts {
  first: string;
  other: string;
}

export function plainPython(value: JsonValue): string {
  return add('', value);
}

/** Adds the value to a text: that costs less than joining the texts of its parts. */
function add(text: string, value: JsonValue): string {
  if (typeof value === 'string')
    return text + (value.length > LONGEST_WORD ? JSON.stringify(value) : wordText(value));
  if (typeof value === 'number') return text + stringifyJson(value, 'python');
  if (typeof value !== 'object' || value === null) return text + String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return `${text}[]`;
    let out = text;
    for (let at = 0; at < value.length; at++)
      out = add(out + (at === 0 ? '[' : ', '), value[at] as JsonValue);
    return `${out}]`;
  }
  let out = text;
  let isEmpty = true;
  for (const key in value) {
    const { first, other } = keyTexts(key);
    out = add(out + (isEmpty ? first : other), value[key] as JsonValue);
    isEmpty = false;
  }
  return isEmpty ? `${out}{}` : `${out}}`;
}

function keyTexts(key: string): KeyTexts {
  const known = keys.get(key);
  if (known) return known;
  const text = JSON.stringify(key);
  const texts = { first: `{${text}: `, other: `, ${text}: ` };
  if (keys.size < MOST_TEXTS && key.length <= LONGEST_KEY) keys.set(key, texts);
  return texts;
}

function wordText(word: string): string {
  const known = words.get(word);
  if (known !== undefined) return known;
  const text = JSON.stringify(word);
  if (words.size < MOST_TEXTS) words.set(word, text);
  return text;
}
