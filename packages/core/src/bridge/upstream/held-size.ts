// Counts what one answer holds in memory: what was read of its upstreams and is not the client's yet. Many steps may wait
// for the end of an answer (the reply that is not streamed, a call that is asked for again, JSON that is checked), so it
// is counted where it comes in and where it goes out.

import { type AnswerEvent, ApiError } from '../../model/index.js';
import { LONGEST_ANSWER } from '../../model/json-size.js';

/** What an event costs beside its text: thousands of short ones take more memory than their characters. */
const EVENT = 16;

/** So many characters more or less are told. */
const STEP = 64 * 1024;

export interface HeldOptions {
  /** Default 32 Mi. */
  most?: number;
  /** Called now and then with the characters that are held. Throws an ApiError if that is too much for all answers. */
  tell?: ((characters: number) => void) | undefined;
}

export class HeldSize {
  /** What `tell` threw: no fault of the upstream, and no other one would help. */
  refused: ApiError | undefined;
  #characters = 0;
  #told = 0;

  constructor(readonly options: HeldOptions = {}) {}

  /** Counts an event of an upstream. Gives an error for the one that is too much. */
  add(event: AnswerEvent): ApiError | undefined {
    this.#characters += sizeOf(event);
    const { most = LONGEST_ANSWER } = this.options;
    if (this.#characters > most) return tooLong(most);
    if (this.#characters - this.#told < STEP) return undefined;
    return this.#tell();
  }

  /** The client got this event, and nothing keeps it. */
  give(event: AnswerEvent): void {
    this.#characters = Math.max(0, this.#characters - sizeOf(event));
    if (this.#told - this.#characters >= STEP) this.#tell();
  }

  /** Another upstream is asked: what the one before wrote is dropped. */
  drop(): void {
    this.#characters = 0;
    if (this.#told > 0) this.#tell();
  }

  #tell(): ApiError | undefined {
    this.#told = this.#characters;
    try {
      this.options.tell?.(this.#told);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.refused = error;
      return error;
    }
  }
}

function sizeOf(event: AnswerEvent): number {
  let size = EVENT;
  if ('text' in event) size += event.text.length;
  if ('name' in event) size += event.name.length;
  if ('extra' in event && event.extra !== undefined) size += JSON.stringify(event.extra).length;
  return size;
}

export function tooLong(most: number, where = ''): ApiError {
  return new ApiError('upstream-broken', `The upstream's answer is longer than ${most} characters${where}.`);
}
