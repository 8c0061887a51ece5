// `limits.requests` for all workers together. Each worker starts with an equal part of the limit. A worker that has used
// up its part gets half of the unused part of each other worker, through the primary process. So a request is refused
// only if the whole gateway is at its limit, and sends a message only if its own worker is.

import type { RequestRoom } from '../services.js';
import type { Answers, Channel } from './channel.js';
import { partOf } from './plain-config.js';

/** Milliseconds after which a worker is asked no more, and before one that got nothing asks again. */
const PATIENCE = 1000;
const PAUSE = 100;

// --- in a worker -----------------------------------------------------------------------------------------------

export interface WorkerRoom extends RequestRoom {
  /** Starts anew with this part. */
  reset(part: number): void;
  answers: Answers;
}

/** `open` gives the number of requests that are being answered. */
export function createWorkerRoom(channel: Channel, part: number, open: () => number): WorkerRoom {
  let limit = part;
  let asking: Promise<boolean> | undefined;
  let again = 0;
  const ask = async () => {
    const more = await channel.ask<number>('room-more').catch(() => 0);
    limit += more;
    if (more === 0) again = Date.now() + PAUSE;
    asking = undefined;
    return more > 0;
  };
  return {
    limit: () => limit,
    more() {
      if (Date.now() < again) return Promise.resolve(false);
      asking ??= ask();
      return asking;
    },
    reset(part) {
      limit = part;
    },
    answers: {
      'room-spare': () => {
        const spare = Math.max(0, Math.ceil((limit - open()) / 2));
        limit -= spare;
        return spare;
      },
    },
  };
}

// --- in the primary process --------------------------------------------------------------------------------------

/** A worker, by its number. */
interface RoomWorker {
  number: number;
  channel: Channel;
}

export class SharedRoom {
  readonly #parts = new Map<number, number>();

  constructor(readonly workers: () => readonly RoomWorker[]) {}

  /** Gives every worker an equal part of the limit, at the start and after a reload. */
  divide(requests: number, workers: number): void {
    for (let number = 1; number <= workers; number++)
      this.#parts.set(number, partOf(requests, number, workers));
  }

  /** A worker that takes the place of another has its part. */
  partOf(number: number): number {
    return this.#parts.get(number) ?? 1;
  }

  /** What a worker may ask. */
  answersFor(number: number): Answers {
    return { 'room-more': () => this.#more(number) };
  }

  async #more(number: number): Promise<number> {
    const others = this.workers().filter((worker) => worker.number !== number);
    const spared = await Promise.all(others.map((worker) => this.#spare(worker)));
    const more = spared.reduce((sum, one) => sum + one, 0);
    this.#parts.set(number, this.partOf(number) + more);
    return more;
  }

  async #spare({ number, channel }: RoomWorker): Promise<number> {
    const spare = await channel.ask<number>('room-spare', undefined, PATIENCE).catch(() => 0);
    this.#parts.set(number, this.partOf(number) - spare);
    return spare;
  }
}
