// Timeouts of a request to a model, in milliseconds. Zero: no timeout.

import { ApiError } from '../../model/index.js';
import { LinkedAborter } from './on-abort.js';

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

/** The longest a timer can wait. */
const LONGEST = 2 ** 31 - 1;

/**
 * Aborts a request when one of its waits takes too long. One timer serves all waits: setting and clearing a timer for
 * every piece of a stream would cost more than the piece.
 */
export class Patience {
  /** The timeout error, if a timeout ended the request. */
  error: ApiError | undefined;
  readonly #timeouts: Timeouts;
  readonly #aborter: LinkedAborter;
  readonly #end: number;
  #waiting: 'firstByte' | 'idle' | undefined;
  #late = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rings = Number.POSITIVE_INFINITY;

  /** The request also ends when `parent` is aborted. */
  constructor(timeouts: Partial<Timeouts> | undefined, parent: AbortSignal) {
    this.#timeouts = { ...DEFAULT_TIMEOUTS, ...timeouts };
    this.#aborter = new LinkedAborter(parent);
    this.#end = Date.now() + this.#time('total');
    this.#arm(this.#end);
  }

  /** The signal of the request: aborted by a timeout or by the caller. */
  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** Starts a wait for the upstream. */
  await(what: 'firstByte' | 'idle'): void {
    this.#waiting = what;
    this.#late = Date.now() + this.#time(what);
    if (this.#late < this.#rings) this.#arm(this.#late);
  }

  /** Stops the wait: from now on the consumer is busy, not the upstream. */
  pause(): void {
    this.#waiting = undefined;
    this.#late = Number.POSITIVE_INFINITY;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#aborter.letGo();
  }

  #time(what: keyof Timeouts): number {
    const time = this.#timeouts[what];
    return time > 0 ? time : Number.POSITIVE_INFINITY;
  }

  #arm(rings: number): void {
    clearTimeout(this.#timer);
    this.#rings = rings;
    if (rings === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#ring(), Math.min(Math.max(1, rings - Date.now()), LONGEST));
  }

  #ring(): void {
    const now = Date.now();
    if (now >= this.#end) this.#giveUp('total');
    else if (this.#waiting && now >= this.#late) this.#giveUp(this.#waiting);
    else this.#arm(Math.min(this.#end, this.#late));
  }

  #giveUp(what: keyof Timeouts): void {
    const message = `The upstream ${words[what]} within ${this.#timeouts[what] / 1000} s.`;
    this.error = new ApiError('upstream-timeout', message);
    this.#aborter.abort(this.error);
  }
}
