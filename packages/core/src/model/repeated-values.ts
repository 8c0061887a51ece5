// JSON values that clients send again and again: an agent repeats its tools in every request. A value is kept by its
// content and given in the place of every equal one, so that what was made of it is found by its identity.

import { makeConstant } from './constants.js';
import { exactConstants } from './exact-constants.js';
import { printOf, sameInOrder } from './json-print.js';
import { RepeatedBodies, type RepeatedLists } from './repeated-bodies.js';

/** The most characters of one value: a longer one is hardly sent twice, and would drive out many others. */
const LONGEST = 1024 * 1024;

/** How many characters are kept by default: the sessions of some forty agents, in about 60 MB; many small ones, or many small objects, take twice that. */
const MOST = 8 * 1024 * 1024;

/** Keeps the values and the bodies that were used last, up to so many characters of JSON of each. */
export class RepeatedValues {
  /** By a short summary of the content: of two values with the same summary the later one is kept. */
  readonly #byPrint = new Map<string, Kept>();
  readonly #bodies: RepeatedBodies;
  #characters = 0;
  #hits = 0;
  #misses = 0;

  constructor(readonly most = MOST) {
    this.#bodies = new RepeatedBodies(most, (list) => this.keep(list));
  }

  /** How many values and bodies are kept, and their characters. */
  get size(): { values: number; bodies: number; characters: number } {
    const { count: bodies, characters } = this.#bodies;
    return { values: this.#byPrint.size, bodies, characters: this.#characters + characters };
  }

  /** Values that were known, and those that were not. */
  get hits(): number {
    return this.#hits + this.#bodies.hits;
  }

  get misses(): number {
    return this.#misses + this.#bodies.misses;
  }

  /**
   * Reads the body of a request as JSON.parse does. What came before is the same object as then; all objects inside are
   * frozen. `elements`: how many items and members it has at most, where they were counted.
   * Bodies are kept for each owner apart.
   */
  read(text: string, lists: RepeatedLists, elements?: number, owner?: string): unknown {
    return this.most === 0 ? JSON.parse(text) : this.#bodies.read(text, lists, elements, owner);
  }

  /** Gives the equal value that is kept, or keeps this one, which is frozen. It must be JSON. */
  keep<V extends object>(value: V): V {
    const print = printOf(value);
    if (!print || print.length > Math.min(LONGEST, this.most)) return value;
    const known = this.#byPrint.get(print.key);
    if (known && sameInOrder(known.value, value)) {
      this.#hits++;
      // A Map gives its oldest entry first: this one becomes the newest.
      this.#byPrint.delete(print.key);
      this.#byPrint.set(print.key, known);
      return known.value as V;
    }
    this.#misses++;
    if (known) this.#drop(print.key, known);
    this.#byPrint.set(print.key, { value: makeConstant(value), length: print.length });
    if (print.isExact) exactConstants.add(value);
    this.#characters += print.length;
    for (const [key, oldest] of this.#byPrint) {
      if (this.#characters <= this.most) break;
      this.#drop(key, oldest);
    }
    return value;
  }

  #drop(key: string, { length }: Kept): void {
    this.#byPrint.delete(key);
    this.#characters -= length;
  }
}

interface Kept {
  value: object;
  length: number;
}
