// The share of one part of an exchange in its memory bound, in characters.

import type { JsonValue } from '@dragoman/core';
import { boundedCopy, wholeLength } from './bounded-copy.js';

export class Share {
  /** Something did not fit. */
  cut = false;
  #left: number;

  constructor(
    size: number,
    readonly onTake: (size: number) => void,
  ) {
    this.#left = size;
  }

  /** As much of the text as still fits. */
  text(text: string): string {
    if (text.length <= this.#left) {
      this.#take(text.length);
      return text;
    }
    this.cut = true;
    const kept = text.slice(0, wholeLength(text, this.#left));
    this.#take(this.#left);
    return kept;
  }

  copy(value: unknown): JsonValue {
    const { value: copy, size, cut } = boundedCopy(value, this.#left);
    if (cut) this.cut = true;
    this.#take(size);
    return copy;
  }

  /** Whether this many characters still fit; if so, they are counted. */
  has(size: number): boolean {
    if (this.#left < size) {
      this.cut = true;
      return false;
    }
    this.#take(size);
    return true;
  }

  #take(size: number): void {
    this.#left = Math.max(0, this.#left - size);
    this.onTake(size);
  }
}
