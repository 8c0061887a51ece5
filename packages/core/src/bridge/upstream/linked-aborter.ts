// An abort controller that another signal aborts as well, until `letGo`. `AbortSignal.any` cannot let go, and costs ten
// times as much.

import { onAbort } from './on-abort.js';

export class LinkedAborter {
  readonly #own = new AbortController();
  /** Stops listening to the other signal. */
  readonly letGo: () => void;

  constructor(parent: AbortSignal) {
    this.letGo = onAbort(parent, () => this.#own.abort(parent.reason));
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  abort(reason: unknown): void {
    this.#own.abort(reason);
  }
}
