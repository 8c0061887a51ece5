// What the bodies and the answers of all requests in work hold together. Each is within its own limits; thousands of them
// at once would still fill the memory.

import { ApiError } from '@dragoman/core';
import type { LimitsConfig } from '../config/config.js';

/** What one request may hold without being counted: `requests` bounds these, and a full budget does not stop them. */
const FREE_BYTES = 64 * 1024;
const FREE_ELEMENTS = 1000;
/** Some 13,000 tokens that come one by one: a usual answer is not ended for others. */
const FREE_ANSWER = 256 * 1024;

/** The part of one request. */
export interface WorkShare {
  /** States what the request holds now. Throws an ApiError if all requests together hold too much. */
  grow(bytes: number, elements: number): void;
  /** States how many bytes of its answer the request holds now. Throws as `grow` does. */
  hold(bytes: number): void;
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
    const asked = { bytes: 0, elements: 0 };
    let answer = 0;
    let isOver = false;
    const set = (bytes: number, elements: number) => {
      this.#bytes += bytes - own.bytes;
      this.#elements += elements - own.elements;
      own.bytes = bytes;
      own.elements = elements;
    };
    const count = (grows: boolean) => {
      // A store may answer after the request has ended: nobody would give back what is counted then.
      if (isOver) throw new ApiError('internal', 'the request has ended');
      const isFree = asked.bytes <= FREE_BYTES && asked.elements <= FREE_ELEMENTS;
      const held = answer <= FREE_ANSWER ? 0 : answer;
      set(held + (isFree ? 0 : asked.bytes), isFree ? 0 : asked.elements);
      const limit = grows && this.#exceeded(own);
      if (limit) throw usedUp(limit);
    };
    return {
      grow: (bytes, elements) => {
        Object.assign(asked, { bytes, elements });
        count(bytes > FREE_BYTES || elements > FREE_ELEMENTS);
      },
      hold: (bytes) => {
        const grows = bytes > answer && bytes > FREE_ANSWER;
        answer = bytes;
        count(grows);
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
