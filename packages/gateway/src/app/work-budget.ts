// What the bodies of all requests in work hold together. Each is within its own limits; thousands of them at once would
// still fill the memory.

import { ApiError } from '@dragoman/core';
import type { LimitsConfig } from '../config/config.js';

/** What one request may hold without being counted: `requests` bounds these, and a full budget does not stop them. */
const FREE_BYTES = 64 * 1024;
const FREE_ELEMENTS = 1000;

/** The part of one request. */
export interface WorkShare {
  /** States what the request holds now. Throws an ApiError if all requests together hold too much. */
  grow(bytes: number, elements: number): void;
  leave(): void;
}

export class WorkBudget {
  #bytes = 0;
  #elements = 0;

  constructor(readonly limits: () => LimitsConfig) {}

  get held(): { bytes: number; elements: number } {
    return { bytes: this.#bytes, elements: this.#elements };
  }

  open(): WorkShare {
    const own = { bytes: 0, elements: 0 };
    let isOver = false;
    const set = (bytes: number, elements: number) => {
      this.#bytes += bytes - own.bytes;
      this.#elements += elements - own.elements;
      own.bytes = bytes;
      own.elements = elements;
    };
    return {
      grow: (bytes, elements) => {
        // A store may answer after the request has ended: nobody would give back what is counted then.
        if (isOver) throw new ApiError('internal', 'the request has ended');
        if (bytes <= FREE_BYTES && elements <= FREE_ELEMENTS) return;
        set(bytes, elements);
        const limit = this.#exceeded(own);
        if (limit) throw usedUp(limit);
      },
      leave: () => {
        set(0, 0);
        isOver = true;
      },
    };
  }

  /** Gives the limit that all requests exceed. One that is alone may hold as much as its own limits allow. */
  #exceeded(own: { bytes: number; elements: number }): 'workBytes' | 'workElements' | undefined {
    const { workBytes, workElements } = this.limits();
    if (this.#bytes === own.bytes && this.#elements === own.elements) return undefined;
    if (this.#bytes > workBytes) return 'workBytes';
    return this.#elements > workElements ? 'workElements' : undefined;
  }
}

function usedUp(limit: string): ApiError {
  const message = `The gateway has too many large requests in work (limits.${limit}); try again in a moment.`;
  return new ApiError('overloaded', message, { retryAfter: 2 });
}
