// How many requests are being answered, and whether new ones are taken.

import { ApiError } from '@dragoman/core';

/** The place of one exchange. */
export interface Place {
  /** Ends the exchange: aborted when the gateway will wait no longer, or when the client has left. */
  aborter: AbortController;
  /** The exchange is over. */
  leave(): void;
}

export class ExchangeCount {
  /**
   * Each exchange has one of its own: a signal that lives as long as the gateway would remember every signal that was
   * ever made of it.
   */
  readonly #places = new Set<AbortController>();
  #closing = false;
  readonly #waiting = new Set<() => void>();

  constructor(readonly limit: () => number) {}

  get open(): number {
    return this.#places.size;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Throws if the limit is reached, or the gateway closes. */
  enter(): Place {
    if (this.#closing) {
      throw new ApiError('overloaded', 'The gateway is shutting down; ask again in a moment.', {
        retryAfter: 1,
      });
    }
    if (this.open >= this.limit()) {
      const message = `The gateway answers ${this.limit()} requests at once, and no more; ask again in a moment.`;
      throw new ApiError('overloaded', message, { retryAfter: 1 });
    }
    const aborter = new AbortController();
    this.#places.add(aborter);
    return { aborter, leave: () => this.#leave(aborter) };
  }

  /** No new ones. Settles when the last one is over. */
  close(): Promise<void> {
    this.#closing = true;
    const over = new Promise<void>((tell) => this.whenOver(tell));
    this.#tellIfOver();
    return over;
  }

  /** Tells when no new ones are taken and the last one is over. Gives a way to be told no more. */
  whenOver(tell: () => void): () => void {
    this.#waiting.add(tell);
    return () => this.#waiting.delete(tell);
  }

  /** Ends those that run. */
  abort(reason: ApiError): void {
    for (const place of [...this.#places]) place.abort(reason);
  }

  #leave(place: AbortController): void {
    if (this.#places.delete(place)) this.#tellIfOver();
  }

  #tellIfOver(): void {
    if (!this.#closing || this.open > 0) return;
    const told = [...this.#waiting];
    this.#waiting.clear();
    // The last one may still have a word to say about its end.
    queueMicrotask(() => {
      for (const tell of told) tell();
    });
  }
}
