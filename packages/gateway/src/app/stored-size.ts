// What a request takes from the store, counted with its body and before it is parsed: a request of a hundred bytes may
// ask for a conversation of megabytes.

import { CallSize } from '@dragoman/core/bridge';
import type { LimitsConfig } from '../config/config.js';
import { isLarge, type RequestBody, refuseSize, tooLong } from './request-body.js';
import type { WorkShare } from './work-budget.js';

/** Thrown instead of parsing a stored text where another thread is to do that. */
class ForTheLane extends Error {}

export interface StoredLimits {
  /** The limits of bodies; without them, the client only reads what it has stored. */
  limits?: LimitsConfig;
  share: WorkShare;
  /** Whether another thread answers large requests. */
  hasLane: boolean;
}

/** Characters that are counted at once. */
const PIECE = 64 * 1024;

const utf8 = new TextEncoder();

export class StoredSize {
  /** Characters of the store; those that were parsed several times count each time. */
  characters = 0;
  isForTheLane = false;
  readonly #size: CallSize;
  readonly #sent: number;
  readonly #counted = new Set<string>();

  constructor(
    readonly options: StoredLimits,
    body?: RequestBody,
  ) {
    this.#size = body?.size ?? new CallSize();
    this.#sent = body?.bytes ?? 0;
  }

  /** Throws an ApiError if it is too much, and ForTheLane if it is much and there is a lane. */
  readonly count = (key: string, text: string): void => {
    const { limits, share } = this.options;
    this.characters += text.length;
    const bytes = this.#sent + this.characters;
    if (limits && bytes > limits.bodyBytes) throw tooLong(limits, WHAT);
    share.grow(bytes, this.#size.elements);
    // Without counting: that of megabytes would take as long as other requests may wait.
    this.#moveIfLarge(bytes);
    if (!this.#counted.has(key)) this.#countElements(text);
    this.#counted.add(key);
    share.grow(bytes, this.#size.elements);
    this.#moveIfLarge(bytes);
  };

  #countElements(text: string): void {
    const { limits } = this.options;
    for (let at = 0; at < text.length; at += PIECE) {
      this.#size.add(utf8.encode(text.slice(at, at + PIECE)));
      if (limits) refuseSize(this.#size, limits, WHAT);
    }
  }

  #moveIfLarge(bytes: number): void {
    if (!this.options.hasLane || !isLarge(bytes, this.#size)) return;
    this.isForTheLane = true;
    throw new ForTheLane('a large request');
  }
}

const WHAT = 'The body, with what is stored for it,';
