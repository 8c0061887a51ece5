// How many requests are being answered, and whether new ones are taken: the door of the gateway.

import { ApiError } from '@dragoman/core';

export class ExchangeCount {
  #open = 0;
  #closing = false;
  #empty: (() => void)[] = [];

  constructor(readonly limit: () => number) {}

  get open(): number {
    return this.#open;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Throws if there is no room. What it gives is to be called once, when the exchange is over. */
  enter(): () => void {
    if (this.#closing) {
      throw new ApiError('overloaded', 'The gateway is shutting down; ask again in a moment.', {
        retryAfter: 1,
      });
    }
    if (this.#open >= this.limit()) {
      const message = `The gateway answers ${this.limit()} requests at once, and no more; ask again in a moment.`;
      throw new ApiError('overloaded', message, { retryAfter: 1 });
    }
    this.#open++;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#open === 0) for (const tell of this.#empty.splice(0)) tell();
    };
  }

  /** No new ones. Settles when the last one is over. */
  close(): Promise<void> {
    this.#closing = true;
    return this.#open === 0 ? Promise.resolve() : new Promise((tell) => this.#empty.push(tell));
  }
}
