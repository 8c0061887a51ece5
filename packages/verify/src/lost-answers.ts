// Tells an endpoint that stopped answering from one that fails on some requests. Answers that were lost are held back
// until that is known: they are no fault of the checks that asked for them if the endpoint is gone.

import type { Exchange } from './endpoint.js';

/** Answers lost in a row after which the endpoint is asked whether it is still there. */
const IN_A_ROW = 3;
/** The most answers that are held back. */
const MOST_HELD = 32;

/** What a gateway or a proxy answers in the place of a server that is gone. */
const GONE: readonly number[] = [502, 503, 504];
const BREAKS: readonly string[] = ['unreachable', 'timeout', 'broken'];

/** Whether the connection was lost, before or within the answer. */
export function isLost({ status, error }: Exchange): boolean {
  return (error !== undefined && BREAKS.includes(error.code)) || GONE.includes(status);
}

export class LostAnswers<T> {
  #held: T[] = [];
  #inARow = 0;

  hold(answer: T): void {
    this.#held.push(answer);
    this.#inARow++;
  }

  /** An answer came. It may have been sent before the endpoint was gone, so what is held stays held. */
  came(): void {
    this.#inARow = 0;
  }

  /** Whether it is time to ask. */
  get isDoubtful(): boolean {
    return this.#inARow >= IN_A_ROW || this.#held.length >= MOST_HELD;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Gives what was held: the endpoint is still there. */
  release(): T[] {
    this.#inARow = 0;
    const held = this.#held;
    this.#held = [];
    return held;
  }
}
