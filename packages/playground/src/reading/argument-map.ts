// Maps the JSON of arguments to the characters it was read from. Events give that in runs: a piece of JSON and its
// range. Inside a run the two are aligned: mostly they are equal but for white space, escapes and repairs.

import type { Range } from '@dragoman/core';
import { firstIndex } from '../parts/first-index.js';
import { isSpace } from '../parts/json-tree.js';

/** Numbers of a piece: start and end in the JSON, start and end in the text. */
const WIDTH = 4;

interface JsonRun {
  json: string[];
  start: number;
  end: number;
}

export class ArgumentMap {
  readonly #runs: JsonRun[] = [];

  /** Joins neighbours into one run, so that the map does not depend on the chunks. */
  add(json: string, [start, end]: Range): void {
    const last = this.#runs.at(-1);
    if (last?.end !== start) this.#runs.push({ json: [json], start, end });
    else {
      last.json.push(json);
      last.end = end;
    }
  }

  toArray(text: string): Uint32Array {
    const aligned = new Alignment(text);
    for (const { json, start, end } of this.#runs) aligned.add(json.join(''), start, end);
    return Uint32Array.from(aligned.numbers);
  }
}

/** How far the two may differ before the rest of a run is taken as one piece. */
const REACH = 12;
/** Characters that must agree for the two to be aligned again. */
const SURE = 4;

class Alignment {
  readonly numbers: number[] = [];
  #json = 0;

  constructor(readonly text: string) {}

  add(json: string, start: number, end: number): void {
    let [read, at] = [0, start];
    while (read < json.length) {
      const same = this.#sameLength(json, read, at, end);
      this.#push(same, at, at + same);
      read += same;
      at += same;
      if (read === json.length) break;
      while (at < end && isSpace(this.text.charAt(at)) && !isSpace(json.charAt(read))) at++;
      if (at < end && json.charAt(read) === this.text.charAt(at)) continue;
      const [skipped, passed] = this.#nextInStep(json, read, at, end) ?? [json.length - read, end - at];
      this.#push(skipped, at, at + passed);
      read += skipped;
      at += passed;
    }
  }

  #push(length: number, start: number, end: number): void {
    if (length === 0) return;
    this.numbers.push(this.#json, this.#json + length, start, end);
    this.#json += length;
  }

  #sameLength(json: string, read: number, at: number, end: number): number {
    const most = Math.min(json.length - read, end - at);
    let same = 0;
    while (same < most && json.charCodeAt(read + same) === this.text.charCodeAt(at + same)) same++;
    return same;
  }

  /** Finds the nearest place where both agree again: how much to skip of the JSON and of the text. */
  #nextInStep(json: string, read: number, at: number, end: number): [number, number] | undefined {
    for (let both = 1; both <= 2 * REACH; both++) {
      for (let skipped = Math.max(0, both - REACH); skipped <= Math.min(both, REACH); skipped++) {
        if (this.#inStep(json, read + skipped, at + both - skipped, end)) return [skipped, both - skipped];
      }
    }
    return undefined;
  }

  #inStep(json: string, read: number, at: number, end: number): boolean {
    if (read > json.length || at > end) return false;
    if (read === json.length) return at === end;
    const last = Math.min(json.length, read + SURE);
    let place = at;
    for (let next = read; next < last; place++) {
      if (place >= end) return false;
      const written = this.text.charAt(place);
      if (isAlike(json.charAt(next), written)) next++;
      else if (!isSpace(written)) return false;
    }
    return true;
  }
}

/** Whether two characters are equal but for quotes and case, which repairs change. */
function isAlike(a: string, b: string): boolean {
  return a === b || (a === '"' && b === "'") || a === b.toLowerCase();
}

/** Gives the characters that this range of the JSON was read from. */
export function textRange(map: Uint32Array, start: number, end: number): Range | undefined {
  let first = pieceAt(map, start, 0);
  let last = pieceAt(map, Math.max(start, end - 1), 0);
  if (first < 0 || last < 0) return undefined;
  // A bracket or a quote that only the JSON has maps to an empty range: its neighbour's is taken.
  while (last > first && isEmpty(map, last)) last -= WIDTH;
  while (first < last && isEmpty(map, first)) first += WIDTH;
  const from = inText(map, first, start);
  return [from, Math.max(from, inText(map, last, end))];
}

/** Gives the offset in the JSON that was read from this character, or -1. */
export function jsonOffset(map: Uint32Array, position: number): number {
  let piece = pieceAt(map, position, 2);
  while (piece > 0 && isEmpty(map, piece)) piece -= WIDTH;
  if (piece < 0 || position >= (map[piece + 3] as number)) return -1;
  const into = position - (map[piece + 2] as number);
  return Math.min((map[piece] as number) + into, (map[piece + 1] as number) - 1);
}

function inText(map: Uint32Array, piece: number, json: number): number {
  const [from = 0, to = 0, start = 0, end = 0] = map.subarray(piece, piece + WIDTH);
  if (json >= to) return end;
  return json <= from ? start : Math.min(end, start + json - from);
}

function isEmpty(map: Uint32Array, piece: number): boolean {
  return map[piece + 2] === map[piece + 3];
}

/** Finds the last piece that begins at or before an offset. `side` 0: in the JSON; 2: in the text. */
function pieceAt(map: Uint32Array, place: number, side: 0 | 2): number {
  const after = firstIndex(map.length / WIDTH, (at) => (map[at * WIDTH + side] as number) > place);
  return (after - 1) * WIDTH;
}
