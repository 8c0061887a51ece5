// A conversation made harmless: wherever a marker could begin, another character stands. What it renders to has the
// frames that the conversation ought to have, and is what the real one is held against.

import type { Dialect } from '@dragoman/core';

const HARMLESS = '·';

/** A copy in which no string, key or JSON text holds a marker. `value` is what `toRequest` gives. */
export function tame(value: unknown, markers: Dialect['markers']): unknown {
  if (typeof value === 'string') return tameText(value, markers);
  if (Array.isArray(value)) return value.map((item) => tame(item, markers));
  if (value instanceof Map)
    return new Map([...value].map(([key, member]) => [tame(key, markers), tame(member, markers)]));
  if (typeof value !== 'object' || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  // Numbers that keep their digits are objects of a class of their own.
  if (prototype !== Object.prototype && prototype !== null) return value;
  return new Map(Object.entries(value).map((entry) => tameMember(entry, value, markers)));
}

/** The arguments of a call are JSON text, in which `[` may be where a list begins. */
function tameMember(
  [key, member]: [string, unknown],
  owner: object,
  markers: Dialect['markers'],
): [string, unknown] {
  const isInput = key === 'input' && (owner as { type?: unknown }).type === 'tool-call';
  if (isInput && typeof member === 'string') return [key, tame(readInput(member), markers)];
  return [tameText(key, markers), tame(member, markers)];
}

function readInput(text: string): unknown {
  try {
    return JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return {};
  }
}

/** Whatever could begin a marker; of letters, which are in every word, only those that do. */
function tameText(text: string, markers: Dialect['markers']): string {
  let tamed = text;
  for (const first of markers.firsts)
    tamed = isLetter(first) ? tameWords(tamed, first, markers) : tamed.replaceAll(first, HARMLESS);
  return tamed;
}

function tameWords(text: string, first: string, markers: Dialect['markers']): string {
  let tamed = '';
  let done = 0;
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (markers.match(text, at, true) <= 0) continue;
    tamed += text.slice(done, at) + HARMLESS;
    done = at + 1;
  }
  return tamed + text.slice(done);
}

function isLetter(char: string): boolean {
  return char.toLowerCase() !== char.toUpperCase();
}
