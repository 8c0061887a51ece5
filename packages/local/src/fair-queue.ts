// A bounded queue for the few answers that a model can write at once. Clients take turns: one with a hundred waiting
// requests delays another by one of them. When the queue is full, the client with the most waiting requests loses its
// newest one, so that no client can keep others out.

import { ApiError } from '@dragoman/core';

export interface QueueOptions {
  /** How many may be served at once. */
  slots: number;
  /** How many may wait. */
  waiting: number;
}

/** Gives the slot back. Further calls have no effect. */
export type Release = () => void;

interface Waiter {
  begin(): void;
  refuse(error: ApiError): void;
}

const NOBODY = '';

export class FairQueue {
  #free: number;
  #waiting = 0;
  /** Those who wait, by client. The map is in the order in which clients are served next. */
  readonly #clients = new Map<string, Waiter[]>();

  constructor(readonly options: QueueOptions) {
    this.#free = options.slots;
  }

  /** How many wait, and how many are served. */
  get size(): { waiting: number; served: number } {
    return { waiting: this.#waiting, served: this.options.slots - this.#free };
  }

  /** Waits for a slot. Throws an ApiError if the queue is full, and the signal's reason if it is aborted. */
  async enter(client: string = NOBODY, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(client, signal);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#leave();
    };
  }

  #leave(): void {
    const [next] = this.#clients;
    if (!next) {
      this.#free++;
      return;
    }
    const [client, waiters] = next;
    const waiter = waiters.shift();
    this.#waiting--;
    // The client goes to the end of the line.
    this.#clients.delete(client);
    if (waiters.length > 0) this.#clients.set(client, waiters);
    waiter?.begin();
  }

  #wait(client: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting >= this.options.waiting) this.#makeRoom(client);
    return new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.#remove(client, waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        begin: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const waiters = this.#clients.get(client) ?? [];
      waiters.push(waiter);
      this.#clients.set(client, waiters);
      this.#waiting++;
    });
  }

  /** Takes the newest request from the client with the most, if that is another than this one; else throws. */
  #makeRoom(client: string): void {
    let most: [client: string, waiters: Waiter[]] | undefined;
    for (const entry of this.#clients) if (!most || entry[1].length > most[1].length) most = entry;
    const own = this.#clients.get(client)?.length ?? 0;
    if (!most || most[1].length <= own + 1) throw full(this.#waiting, own);
    const [other, waiters] = most;
    const newest = waiters.at(-1);
    if (newest) this.#remove(other, newest);
    newest?.refuse(full(this.#waiting + 1, waiters.length + 1));
  }

  #remove(client: string, waiter: Waiter): void {
    const waiters = this.#clients.get(client) ?? [];
    const at = waiters.indexOf(waiter);
    if (at < 0) return;
    waiters.splice(at, 1);
    this.#waiting--;
    if (waiters.length === 0) this.#clients.delete(client);
  }
}

const RETRY_SECONDS = 5;

/** 429 where the client itself has others waiting, 503 where it has none. */
function full(waiting: number, own: number): ApiError {
  const code = own > 0 ? 'rate-limited' : 'overloaded';
  const whose = own > 0 ? `, ${own} of them yours` : '';
  const message = `The model is busy, and ${waiting} requests wait for it${whose}; try again later.`;
  return new ApiError(code, message, { retryAfter: RETRY_SECONDS });
}
