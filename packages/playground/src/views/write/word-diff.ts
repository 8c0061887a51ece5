// A word diff of two texts, as ranges in each. Words that occur once in both texts are anchors; between them Myers'
// greedy search runs with a bounded number of differences, and where it gives up it takes the best path so far and goes
// on. The work for each word is bounded, so that a megabyte is fast; the price is that of large rearrangements more
// words are marked than necessary.

import type { TextRange } from '../../parts/editor-text.js';
import { firstIndex } from '../../parts/first-index.js';

export interface WordDiff {
  /** The words that only the first, and only the second text has. */
  left: TextRange[];
  right: TextRange[];
  /** The share of the longer text that both have: 0 to 1, by characters that are no white space. */
  shared: number;
  /** Steps of the search: a bounded number a word. */
  steps: number;
}

/** Differences one search may find before it settles for what it has. */
const REACH = 64;
/** The recursion depth of anchors between anchors. */
const DEPTH = 6;

export function diffWords(left: string, right: string): WordDiff {
  const a = wordsOf(left);
  const b = wordsOf(right);
  const keys = new Map<string, number>();
  const search = new DiffSearch(toKeys(left, a, keys), toKeys(right, b, keys));
  search.align(0, a.length, 0, b.length, DEPTH);
  const lost = { left: rangesOf(search.left, a), right: rangesOf(search.right, b) };
  const whole = Math.max(weigh(left), weigh(right));
  const different = Math.max(weighRanges(left, lost.left), weighRanges(right, lost.right));
  return { ...lost, shared: whole === 0 ? 1 : 1 - different / whole, steps: search.steps };
}

/** Splits into tags (each one word, equal or not), runs of letters and digits, white space, single characters. */
function wordsOf(text: string): TextRange[] {
  const words: TextRange[] = [];
  for (const { 0: word, index } of text.matchAll(/<[^\s<>]{1,40}>|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu))
    words.push({ from: index, to: index + word.length });
  return words;
}

/** Gives a number for each word; equal words get equal numbers. */
function toKeys(text: string, words: readonly TextRange[], keys: Map<string, number>): Int32Array {
  return Int32Array.from(words, ({ from, to }) => {
    const word = text.slice(from, to);
    const key = keys.get(word) ?? keys.size;
    if (key === keys.size) keys.set(word, key);
    return key;
  });
}

class DiffSearch {
  /** 1 where the word is shared. */
  readonly left: Uint8Array;
  readonly right: Uint8Array;
  steps = 0;

  constructor(
    readonly a: Int32Array,
    readonly b: Int32Array,
  ) {
    this.left = new Uint8Array(a.length);
    this.right = new Uint8Array(b.length);
  }

  align(fromA: number, toA: number, fromB: number, toB: number, depth: number): void {
    let startA = fromA;
    let startB = fromB;
    let endA = toA;
    let endB = toB;
    while (startA < endA && startB < endB && this.a[startA] === this.b[startB])
      this.#share(startA++, startB++);
    while (startA < endA && startB < endB && this.a[endA - 1] === this.b[endB - 1])
      this.#share(--endA, --endB);
    if (startA === endA || startB === endB) return;
    const anchors = depth > 0 ? this.#anchors(startA, endA, startB, endB) : [];
    if (anchors.length === 0) {
      this.#walk(startA, endA, startB, endB);
      return;
    }
    for (const [atA, atB] of [...anchors, [endA, endB] as const]) {
      this.align(startA, atA, startB, atB, depth - 1);
      if (atA < endA && atB < endB) this.#share(atA, atB);
      startA = atA + 1;
      startB = atB + 1;
    }
  }

  #share(atA: number, atB: number): void {
    this.steps++;
    this.left[atA] = 1;
    this.right[atB] = 1;
  }

  /** Finds the words that occur once on each side, as many as keep their order. */
  #anchors(startA: number, endA: number, startB: number, endB: number): [number, number][] {
    this.steps += endA - startA + endB - startB;
    const inA = once(this.a, startA, endA);
    const inB = once(this.b, startB, endB);
    const pairs: [number, number][] = [];
    for (const [key, atA] of inA) {
      const atB = inB.get(key);
      if (atA >= 0 && atB !== undefined && atB >= 0) pairs.push([atA, atB]);
    }
    return longestRising(pairs);
  }

  /** Repeats Myers' search, each time from where the last one ended. */
  #walk(startA: number, endA: number, startB: number, endB: number): void {
    let x = startA;
    let y = startB;
    while (x < endA && y < endB) [x, y] = this.#reach(x, endA, y, endB);
  }

  /** Searches as far as REACH differences allow, marks shared words on the way, and gives where it ended. */
  #reach(startA: number, endA: number, startB: number, endB: number): [number, number] {
    const trace: Int32Array[] = [];
    let row = new Int32Array(2 * REACH + 3);
    let best = { x: 0, y: 0, k: 0, d: 0 };
    for (let d = 0; d <= REACH; d++) {
      const next = row.slice();
      for (let k = -d; k <= d; k += 2) {
        const down = k === -d || (k !== d && at(row, k - 1) < at(row, k + 1));
        let x = d === 0 ? 0 : down ? at(row, k + 1) : at(row, k - 1) + 1;
        let y = x - k;
        this.steps++;
        while (startA + x < endA && startB + y < endB && this.a[startA + x] === this.b[startB + y]) {
          x++;
          y++;
          this.steps++;
        }
        next[k + REACH + 1] = x;
        const inside = startA + x <= endA && startB + y <= endB;
        if (inside && x + y > best.x + best.y) best = { x, y, k, d };
      }
      trace.push(row);
      row = next;
      if (startA + best.x === endA && startB + best.y === endB) break;
    }
    this.#retrace(trace, best, startA, startB);
    return [startA + best.x, startB + best.y];
  }

  #retrace(
    trace: Int32Array[],
    end: { x: number; y: number; k: number; d: number },
    a: number,
    b: number,
  ): void {
    let { x, y, k } = end;
    for (let d = end.d; d >= 0; d--) {
      const row = trace[d] as Int32Array;
      const down = k === -d || (k !== d && at(row, k - 1) < at(row, k + 1));
      const startX = d === 0 ? 0 : down ? at(row, k + 1) : at(row, k - 1) + 1;
      while (x > startX) this.#share(a + --x, b + --y);
      if (d === 0) return;
      k = down ? k + 1 : k - 1;
      x = at(row, k);
      y = x - k;
    }
  }
}

const at = (row: Int32Array, k: number): number => row[k + REACH + 1] ?? 0;

/** Gives the index of each word that occurs once; -1 for words that occur more often. */
function once(keys: Int32Array, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let index = start; index < end; index++) {
    const key = keys[index] as number;
    places.set(key, places.has(key) ? -1 : index);
  }
  return places;
}

/** Finds the longest subsequence of pairs, sorted by their first, whose second increases, too. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, b]] of pairs.entries()) {
    const low = firstIndex(tails.length, (at) => (pairs[tails[at] as number]?.[1] as number) >= b);
    before[index] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = index;
  }
  const rising: [number, number][] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] as number)
    rising.push(pairs[index] as [number, number]);
  return rising.reverse();
}

/** Gives the words that are not shared, neighbours as one range. */
function rangesOf(shared: Uint8Array, words: readonly TextRange[]): TextRange[] {
  const ranges: TextRange[] = [];
  for (const [index, { from, to }] of words.entries()) {
    if (shared[index] === 1) continue;
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

function weighRanges(text: string, ranges: readonly TextRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + weigh(text, from, to), 0);
}

/** Counts the characters that are no white space. */
function weigh(text: string, from = 0, to = text.length): number {
  let weight = 0;
  for (let index = from; index < to; index++) if (text.charCodeAt(index) > 32) weight++;
  return weight;
}
