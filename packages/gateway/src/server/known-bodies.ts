// Bodies that were counted before. An agent's next body begins with the bytes of the one before, and mostly ends with the
// same tools: to compare bytes costs a fiftieth of counting what they hold. Only what is between is counted. A body is
// divided where that can begin:
//
//   known   | {"model":"m","messages":[ {…}, | {…} ],"tools":[             | {…},{…}, | {…},{…}]}
//   next    | {"model":"m","messages":[ {…}, | {…},{…},{…} ],"tools":[     | {…},{…}, | {…},{…}]}
//           |<--------- as before ---------->|<--------- counted --------->|<---- as before --->|

import type { BodyCount } from '../app/request-body.js';
import { MarkedSize, type SizeMark } from './marked-size.js';

/** The most bytes that are kept by default: the bodies of some forty agents. */
const MOST = 8 * 1024 * 1024;

/** Smaller bodies are counted faster than they are found; larger ones are for the other thread. */
const SMALLEST = 8 * 1024;
const LARGEST = 512 * 1024;

/** Bytes of a division, about. */
const DIVISION = 16 * 1024;
/** A shorter one and the next are one, or a body that grows byte by byte would have one for each byte. */
const SHORTEST = 1024;

/** By how many of its first bytes a body is found: many agents share their first instructions, few a whole beginning. */
const STARTS = [32 * 1024, 8 * 1024, 1024];
/** How many of the last of these bytes make the key. What is found is compared as a whole. */
const KEY = 48;
/** The most bodies of one key: sessions of one agent share their first instructions. */
const MOST_ALIKE = 64;

interface Division {
  /** The place of its first byte. */
  start: number;
  /** What was counted before it. */
  mark: SizeMark;
  /** The most levels in it. */
  levels: number;
}

interface KnownBody {
  bytes: Buffer;
  divisions: readonly Division[];
  /** What was counted in all. */
  end: SizeMark;
  keys: readonly string[];
}

interface Nearest {
  body: KnownBody;
  /** How many bytes it begins with that another one begins with, too. */
  shared: number;
}

function isSame({ length }: Buffer, { body, shared }: Nearest): boolean {
  return shared === length && body.bytes.length === length;
}

export class KnownBodies implements BodyCount {
  readonly #byKey = new Map<string, KnownBody[]>();
  /** Ordered by last use. */
  readonly #all = new Set<KnownBody>();
  /** Bytes of the bodies that are kept. */
  bytes = 0;

  constructor(readonly most = MOST) {}

  fits(bytes: number): boolean {
    return bytes >= SMALLEST && bytes <= Math.min(LARGEST, this.most / 2);
  }

  size(bytes: Uint8Array, owner?: string): MarkedSize {
    const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const keys = keysOf(own, owner);
    const near = this.#nearest(own, keys);
    const count = new Count(own, near?.body, near?.shared);
    const size = count.all();
    const end = size.mark();
    if (near && isSame(own, near)) {
      // The old copy stays: a new one each time would make the collector run through all that is kept.
      this.#remove(near.body);
      this.#add(near.body);
      return size;
    }
    if (near) this.#renew(near.body);
    // One that ends in a string is no JSON.
    if (!end) return size;
    // It goes on with the other one, and takes its place.
    if (near && count.holdsKnown) this.#remove(near.body);
    const { divisions } = count;
    this.#add({ bytes: own, divisions, end, keys });
    return size;
  }

  #nearest(bytes: Buffer, keys: readonly string[]): Nearest | undefined {
    for (const key of keys) {
      let nearest: Nearest | undefined;
      for (const body of this.#byKey.get(key)?.toReversed() ?? []) {
        if (nearest && !beginAlike(bytes, body.bytes, nearest.shared + 1)) continue;
        nearest = { body, shared: sharedStart(bytes, body.bytes) };
        if (nearest.shared === bytes.length) break;
      }
      if (nearest) return nearest;
    }
    return undefined;
  }

  #add(body: KnownBody): void {
    this.#all.add(body);
    this.bytes += body.bytes.length;
    for (const key of body.keys) {
      const alike = [...(this.#byKey.get(key) ?? []), body];
      this.#byKey.set(key, alike);
      if (alike.length > MOST_ALIKE) this.#remove(alike[0] as KnownBody);
    }
    for (const oldest of this.#all) {
      if (this.bytes <= this.most) break;
      this.#remove(oldest);
    }
  }

  #renew(body: KnownBody): void {
    this.#all.delete(body);
    this.#all.add(body);
  }

  #remove(body: KnownBody): void {
    if (!this.#all.delete(body)) return;
    this.bytes -= body.bytes.length;
    for (const key of body.keys) {
      const alike = this.#byKey.get(key)?.filter((other) => other !== body) ?? [];
      if (alike.length > 0) this.#byKey.set(key, alike);
      else this.#byKey.delete(key);
    }
  }
}

/** Of each owner of a key apart: how long it takes would tell what others sent. */
function keysOf(bytes: Buffer, owner = ''): string[] {
  return STARTS.filter((length) => length <= bytes.length).map(
    (length) => `${owner} ${length} ${bytes.toString('latin1', length - KEY, length)}`,
  );
}

/** Counts one body, with what is known of another one. */
class Count {
  readonly divisions: Division[] = [];
  #size = new MarkedSize();
  /** Up to where it is counted. */
  #at = 0;
  /** Whether it begins with one part of the known body and ends with the rest. */
  holdsKnown = false;

  constructor(
    readonly bytes: Buffer,
    readonly known: KnownBody | undefined,
    /** How many bytes both begin with. */
    readonly shared = 0,
  ) {}

  all(): MarkedSize {
    if (this.known) this.#takeStart(this.known);
    if (!this.known || !this.#takeEnd(this.known)) this.#countTo(this.bytes.length);
    const size = this.#size;
    for (const { levels } of this.divisions) size.levels = Math.max(size.levels, levels);
    return size;
  }

  /** Takes the divisions that are the same, and goes on where the first begins that is not. */
  #takeStart({ divisions }: KnownBody): void {
    let same = 0;
    while ((divisions[same + 1]?.start ?? Number.POSITIVE_INFINITY) <= this.shared) same++;
    const next = divisions[same];
    if (!next || same === 0) return;
    this.divisions.push(...divisions.slice(0, same));
    this.#size = MarkedSize.after(next.mark);
    this.#at = next.start;
  }

  /** Counts up to a division from which on all is the same, and takes the rest. False if there is none. */
  #takeEnd({ bytes, divisions, end }: KnownBody): boolean {
    const longer = this.bytes.length - bytes.length;
    const same = bytes.length - sharedEnd(this.bytes, bytes, this.bytes.length - this.#at);
    this.holdsKnown = same <= this.shared;
    for (const [index, { start, mark }] of divisions.entries()) {
      if (start < same || start + longer < this.#at) continue;
      this.#countTo(start + longer);
      const reached = this.#size.mark();
      if (reached?.depth !== mark.depth) continue;
      for (const division of divisions.slice(index))
        this.#divide({
          start: division.start + longer,
          mark: moved(division.mark, mark, reached),
          levels: division.levels,
        });
      this.#size = MarkedSize.after(moved(end, mark, reached));
      return true;
    }
    return false;
  }

  /** Counts up to this place, in divisions. */
  #countTo(end: number): void {
    while (this.#at < end) {
      const next = this.bytes.indexOf('{"', this.#at + DIVISION);
      const to = next < 0 || next > end ? end : next;
      const start = this.#at;
      const mark = this.#size.mark();
      const before = this.#size.levels;
      this.#size.levels = 0;
      this.#size.add(this.bytes.subarray(start, to));
      const { levels } = this.#size;
      this.#size.levels = Math.max(before, levels);
      // In a string no other body can go on: it belongs to the division before.
      if (mark) this.#divide({ start, mark, levels });
      else this.#extend(levels);
      this.#at = to;
    }
  }

  #divide(division: Division): void {
    const last = this.divisions.at(-1);
    if (last && division.start - last.start < SHORTEST) this.#extend(division.levels);
    else this.divisions.push(division);
  }

  /** The last division goes on. It may be one of the known body, too. */
  #extend(levels: number): void {
    const last = this.divisions.pop();
    if (last) this.divisions.push({ ...last, levels: Math.max(last.levels, levels) });
  }
}

/** Gives the mark as it is where `from` is at `to`. */
function moved(mark: SizeMark, from: SizeMark, to: SizeMark): SizeMark {
  return {
    elements: mark.elements - from.elements + to.elements,
    inStrings: mark.inStrings - from.inStrings + to.inStrings,
    brokenBytes: mark.brokenBytes - from.brokenBytes + to.brokenBytes,
    depth: mark.depth,
  };
}

/** Whether both begin with the same bytes, so many of them. */
function beginAlike(one: Buffer, other: Buffer, count: number): boolean {
  return count <= Math.min(one.length, other.length) && one.compare(other, 0, count, 0, count) === 0;
}

/** Gives how many bytes both begin with. */
function sharedStart(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length);
  return longest(most, (from, to) => one.compare(other, from, to, from, to) === 0);
}

/** Gives how many bytes both end with, up to `most`. */
function sharedEnd(one: Buffer, other: Buffer, most: number): number {
  const [a, b] = [one.length, other.length];
  return longest(
    Math.min(most, b),
    (from, to) => one.compare(other, b - to, b - from, a - to, a - from) === 0,
  );
}

/** Gives the largest number up to `most` for which all ranges below it are the same: compared in halves. */
function longest(most: number, same: (from: number, to: number) => boolean): number {
  let [low, high] = [0, most];
  if (same(0, high)) return high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (same(low, middle)) low = middle;
    else high = middle;
  }
  return low;
}
