// How long to wait for a model, each an option in milliseconds. Zero waits for ever.

import { ApiError } from '../model/index.js';

export interface Timeouts {
  /** From the request to the first byte of the answer. Default 10 minutes: long prompts are read slowly. */
  firstByte: number;
  /** Between two pieces of a stream. Default 2 minutes. */
  idle: number;
  /** For the whole answer. Default 1 hour. */
  total: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { firstByte: 600_000, idle: 120_000, total: 3_600_000 };

const words: Record<keyof Timeouts, string> = {
  firstByte: 'did not begin to answer',
  idle: 'fell silent in the middle of its answer',
  total: 'was not done with its answer',
};

/** A clock that aborts a request when one of its waits takes too long. */
export class Patience {
  readonly #aborter = new AbortController();
  readonly #timeouts: Timeouts;
  #total: ReturnType<typeof setTimeout> | undefined;
  #wait: ReturnType<typeof setTimeout> | undefined;

  constructor(timeouts: Partial<Timeouts> = {}) {
    this.#timeouts = { ...DEFAULT_TIMEOUTS, ...timeouts };
    this.#total = this.#start('total');
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** The error, if it was this clock that ended the request. */
  get error(): ApiError | undefined {
    return this.#aborter.signal.aborted ? (this.#aborter.signal.reason as ApiError) : undefined;
  }

  /** Waits anew. */
  await(what: 'firstByte' | 'idle'): void {
    clearTimeout(this.#wait);
    this.#wait = this.#start(what);
  }

  /** Whoever reads is slow, not the upstream. */
  pause(): void {
    clearTimeout(this.#wait);
  }

  stop(): void {
    clearTimeout(this.#wait);
    clearTimeout(this.#total);
  }

  #start(what: keyof Timeouts): ReturnType<typeof setTimeout> | undefined {
    const time = this.#timeouts[what];
    if (time <= 0) return undefined;
    const message = `The upstream ${words[what]} within ${time / 1000} s.`;
    return setTimeout(() => this.#aborter.abort(new ApiError('upstream-timeout', message)), time);
  }
}
