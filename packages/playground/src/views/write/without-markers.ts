// Replaces the first character of every possible marker in a conversation. The result renders with exactly the frames
// that the conversation should have; the real rendering is compared with it.

import type { Dialect } from '@dragoman/core';

const HARMLESS = '·';

/** Gives a copy in which no string, key or JSON text holds a marker. `value` is a result of `toRequest`. */
export function withoutMarkers(value: unknown, markers: Dialect['markers']): unknown {
  if (typeof value === 'string') return textWithout(value, markers);
  if (Array.isArray(value)) return value.map((item) => withoutMarkers(item, markers));
  if (value instanceof Map)
    return new Map(
      [...value].map(([key, member]) => [withoutMarkers(key, markers), withoutMarkers(member, markers)]),
    );
  if (typeof value !== 'object' || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  // Exact numbers are objects of their own class.
  if (prototype !== Object.prototype && prototype !== null) return value;
  return new Map(Object.entries(value).map((entry) => memberWithout(entry, value, markers)));
}

/** The arguments of a call are JSON text, in which `[` may be where a list begins. */
function memberWithout(
  [key, member]: [string, unknown],
  owner: object,
  markers: Dialect['markers'],
): [string, unknown] {
  const isInput = key === 'input' && (owner as { type?: unknown }).type === 'tool-call';
  if (isInput && typeof member === 'string') return [key, withoutMarkers(readInput(member), markers)];
  return [textWithout(key, markers), withoutMarkers(member, markers)];
}

function readInput(text: string): unknown {
  try {
    return JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return {};
  }
}

/** Replaces characters that could begin a marker; letters only where they do begin one. */
function textWithout(text: string, markers: Dialect['markers']): string {
  let replaced = text;
  for (const first of markers.firsts)
    replaced = isLetter(first)
      ? wordsWithout(replaced, first, markers)
      : replaced.replaceAll(first, HARMLESS);
  return replaced;
}

function wordsWithout(text: string, first: string, markers: Dialect['markers']): string {
  let replaced = '';
  let done = 0;
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (markers.match(text, at, true) <= 0) continue;
    replaced += text.slice(done, at) + HARMLESS;
    done = at + 1;
  }
  return replaced + text.slice(done);
}

function isLetter(char: string): boolean {
  return char.toLowerCase() !== char.toUpperCase();
}
