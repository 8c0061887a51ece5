// JSON text in pieces, for values of megabytes: the whole text is never in memory.

import { isHighSurrogate } from './surrogates.js';

/** Characters of a piece, about. */
const PIECE = 64 * 1024;

/** Texts with more characters are written in pieces by default; below, one string costs less. */
const LONG = 1024 * 1024;

/** Whether the JSON of the value has more than about `most` characters; by default, a million. */
export function isLongJson(value: unknown, most = LONG): boolean {
  return roomAfter(value, most) < 0;
}

/** Gives how many characters of `room` the JSON of the value leaves, about; the count ends where none is left. */
export function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null) return room - 1;
  let left = room - 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left < 0) return left;
      left = roomAfter(item, left - 1);
    }
    return left;
  }
  for (const key in value) {
    if (left < 0) return left;
    left = roomAfter((value as Record<string, unknown>)[key], left - key.length - 4);
  }
  return left;
}

/** Gives what JSON.stringify gives for a value of JSON, in pieces. The value must not change meanwhile. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  let text = '';
  for (const part of partsOf(value)) {
    text += part;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function partsOf(value: unknown): Iterable<string> {
  if (typeof value === 'string' && value.length > PIECE) return stringParts(value);
  if (typeof value !== 'object' || value === null || !isLongJson(value, PIECE))
    return [JSON.stringify(value) ?? 'null'];
  return Array.isArray(value) ? listParts(value) : objectParts(value as Record<string, unknown>);
}

function* listParts(list: readonly unknown[]): Generator<string, void> {
  let before = '[';
  for (const item of list) {
    yield before;
    yield* partsOf(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* objectParts(object: Readonly<Record<string, unknown>>): Generator<string, void> {
  let before = '{';
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (member === undefined || typeof member === 'function') continue;
    yield before;
    yield* partsOf(key);
    yield ':';
    yield* partsOf(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* stringParts(text: string): Generator<string, void> {
  yield '"';
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + PIECE, text.length);
    // Half of a character would be escaped.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
  }
  yield '"';
}
