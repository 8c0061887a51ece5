// Counts the requests that are being answered, limits them, and closes for new ones at shutdown.

import { ApiError } from '@dragoman/core';

/** One running request. */
export interface RunningRequest {
  /** Ends the request: aborted when the gateway shuts down, or when the client disconnects. */
  aborter: AbortController;
  /** Ends the count of this request. */
  leave(): void;
}

export class ExchangeCount {
  /**
   * One controller for each request: a signal that lives as long as the gateway would remember every signal that was
   * ever derived from it.
   */
  readonly #places = new Set<AbortController>();
  #closing = false;
  readonly #waiting = new Set<() => void>();

  /** `limit`: how many requests there may be at once. `room`: how many of them in this process; default all. */
  constructor(
    readonly limit: () => number,
    readonly room: () => number = limit,
  ) {}

  get open(): number {
    return this.#places.size;
  }

  get full(): boolean {
    return this.open >= this.room();
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Counts a new request. Throws if the limit is reached, or the gateway is shutting down. */
  enter(): RunningRequest {
    if (this.#closing) {
      throw new ApiError('overloaded', 'The gateway is shutting down; try again in a moment.', {
        retryAfter: 1,
      });
    }
    if (this.full) {
      const message = `The gateway answers at most ${this.limit()} requests at once; try again in a moment.`;
      throw new ApiError('overloaded', message, { retryAfter: 1 });
    }
    const aborter = new AbortController();
    this.#places.add(aborter);
    return { aborter, leave: () => this.#leave(aborter) };
  }

  /** Takes no new requests, and settles when the last one is over. */
  close(): Promise<void> {
    this.#closing = true;
    const over = new Promise<void>((tell) => this.whenOver(tell));
    this.#tellIfOver();
    return over;
  }

  /** Calls back when no new requests are taken and the last one is over. Gives a function that removes the callback. */
  whenOver(tell: () => void): () => void {
    this.#waiting.add(tell);
    return () => this.#waiting.delete(tell);
  }

  /** Ends all running requests. */
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
    // The last request may still log its end.
    queueMicrotask(() => {
      for (const tell of told) tell();
    });
  }
}
