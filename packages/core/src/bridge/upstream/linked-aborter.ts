// A controller that another signal aborts, too, until it lets go. `AbortSignal.any` does the same for ever, at ten
// times the cost.

import { onAbort } from './on-abort.js';

export class LinkedAborter {
  readonly #own = new AbortController();
  /** What happens to the other from now on is its own affair. */
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
