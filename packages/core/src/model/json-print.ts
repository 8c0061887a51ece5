// A short summary of a JSON value, by which an equal one is found. It costs a fraction of writing the value, and nothing of
// the value is kept for it.

import { isForgetful, MAX_JSON_DEPTH } from './json.js';

export interface JsonPrint {
  key: string;
  /** The characters of the value as JSON, without escapes. */
  length: number;
  /** Whether the value is as it was written: it has no key that an object loses or moves, or that changes its text. */
  isExact: boolean;
}

/** How many characters of a string are looked at, at its start and at its end; of a key, one. */
const ENDS = 8;

/** Undefined for a value that is too deep. */
export function printOf(value: unknown): JsonPrint | undefined {
  const walk = new Walk();
  if (!walk.add(value, 0)) return undefined;
  const { hash, length, isExact } = walk;
  return { key: `${hash >>> 0} ${length}`, length, isExact };
}

class Walk {
  hash = 0;
  length = 0;
  isExact = true;

  /** False for a value that is too deep. */
  add(value: unknown, depth: number): boolean {
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value !== 'object' || value === null) this.#addText(String(value));
    else {
      if (depth > MAX_JSON_DEPTH) return false;
      this.length++;
      return Array.isArray(value) ? this.#addItems(value, depth + 1) : this.#addMembers(value, depth + 1);
    }
    return true;
  }

  #addItems(items: readonly unknown[], depth: number): boolean {
    this.#mix(items.length);
    for (const item of items) {
      this.length++;
      if (!this.add(item, depth)) return false;
    }
    return true;
  }

  #addMembers(members: object, depth: number): boolean {
    for (const key in members) {
      this.#addKey(key);
      if (key === 'toJSON' || isForgetful(key)) this.isExact = false;
      this.length += 2;
      if (!this.add((members as Record<string, unknown>)[key], depth)) return false;
    }
    return true;
  }

  #addKey(key: string): void {
    this.length += key.length + 2;
    this.#mix(key.length);
    // An empty key has no character: NaN would undo the hash.
    if (key === '') return;
    this.#mix(key.charCodeAt(0));
    this.#mix(key.charCodeAt(key.length - 1));
  }

  #addText(text: string): void {
    this.length += text.length + 2;
    this.#mix(text.length);
    let { hash } = this;
    const start = Math.min(ENDS, text.length);
    for (let at = 0; at < start; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    for (let at = Math.max(start, text.length - ENDS); at < text.length; at++)
      hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    this.hash = hash;
  }

  #mix(part: number): void {
    this.hash = (Math.imul(this.hash, 31) + part) | 0;
  }
}

/** Whether both values have the same text as JSON: also the same order of members. */
export function sameInOrder(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) return Array.isArray(other) && sameItems(one, other);
  if (Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const others = Object.keys(other);
  if (keys.length !== others.length) return false;
  for (const [at, key] of keys.entries()) {
    if (key !== others[at]) return false;
    if (!sameInOrder((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
      return false;
  }
  return true;
}

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => sameInOrder(item, other[at]));
}
