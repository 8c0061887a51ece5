// Sets of characters as ranges of code points.

import type { CharRanges } from './node.js';

const LAST = 0x10ffff;

/** All characters of a text, without NUL and surrogates. */
export const ANY_CHAR: CharRanges = [
  [1, 0xd7ff],
  [0xe000, LAST],
];

/** The characters that need no escape in a JSON string. */
export const JSON_CHAR: CharRanges = except(ANY_CHAR, [
  [1, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
]);

export const DIGIT: CharRanges = [[0x30, 0x39]];
export const HEX: CharRanges = [
  [0x30, 0x39],
  [0x41, 0x46],
  [0x61, 0x66],
];

/** Gives the set of the text's characters. */
export function charsOf(text: string): CharRanges {
  return union([...text].map((char) => [codeOf(char), codeOf(char)] as const));
}

export function codeOf(char: string): number {
  return char.codePointAt(0) as number;
}

/** Sorts ranges and merges those that overlap or touch. */
export function union(ranges: CharRanges): CharRanges {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const out: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = out.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** Gives the ranges without those in `taken`, in one pass over both. */
export function except(ranges: CharRanges, taken: CharRanges): CharRanges {
  const left: [number, number][] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    let start = from;
    while (next < taken.length && (taken[next] as readonly [number, number])[1] < from) next++;
    for (let at = next; at < taken.length && start <= to; at++) {
      const [first, last] = taken[at] as readonly [number, number];
      if (first > to) break;
      if (first > start) left.push([start, first - 1]);
      start = Math.max(start, last + 1);
    }
    if (start <= to) left.push([start, to]);
  }
  return left;
}

export function intersect(a: CharRanges, b: CharRanges): CharRanges {
  return except(a, except([[0, LAST]], b));
}

/** Gives all other code points, including NUL and surrogates, for printing a negated class. */
export function complement(ranges: CharRanges): CharRanges {
  return except([[0, LAST]], ranges);
}

export function includes(ranges: CharRanges, code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to);
}
