// The worker's desk: one text, and at most one job of each kind. Work is done in short turns, so that what arrives
// meanwhile is heard.

import { type Job, type ReadInput, Replay, readAll, shuffle } from './jobs.js';
import type { Ask, Said } from './protocol.js';

/** Milliseconds of work between two looks at what has arrived. */
const TURN = 8;

export class Desk {
  readonly #say: (said: Said) => void;
  readonly #rest: () => Promise<void>;
  #input: ReadInput | undefined;
  #replay: Replay | undefined;
  #jobs = new Map<Ask['type'], Job<void>>();
  #busy = false;

  /** `rest` lets arrived messages in. */
  constructor(say: (said: Said) => void, rest: () => Promise<void>) {
    this.#say = say;
    this.#rest = rest;
  }

  take(ask: Ask): void {
    if (ask.type === 'read') {
      this.#jobs.clear();
      this.#replay = undefined;
      this.#input = undefined;
    }
    this.#jobs.set(ask.type, this.#job(ask));
    if (!this.#busy) void this.#work();
  }

  *#job(ask: Ask): Job<void> {
    try {
      if (ask.type === 'read') yield* this.#read(ask);
      else if (ask.type === 'seek') yield* this.#seek(ask);
      else yield* this.#shuffle(ask);
    } catch (error) {
      this.#say({
        type: 'failed',
        id: ask.id,
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }

  *#read({ id, input }: Ask & { type: 'read' }): Job<void> {
    const result = yield* readAll(input);
    const { dialect, thinking } = result;
    this.#input = { ...input, dialect, thinking };
    this.#say({ type: 'read', id, ...result });
  }

  *#seek({ id, at }: Ask & { type: 'seek' }): Job<void> {
    if (!this.#input) return;
    this.#replay ??= new Replay(this.#input);
    this.#say({ type: 'seek', id, reading: yield* this.#replay.to(at) });
  }

  *#shuffle({ id, seed }: Ask & { type: 'shuffle' }): Job<void> {
    if (!this.#input) return;
    this.#say({ type: 'shuffle', id, result: yield* shuffle(this.#input, seed) });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#jobs.size > 0) {
      const started = performance.now();
      while (performance.now() - started < TURN && this.#step());
      await this.#rest();
    }
    this.#busy = false;
  }

  /** One slice of the first job. Reading comes before what builds on it, since it was asked for first. */
  #step(): boolean {
    for (const [type, job] of this.#jobs) {
      if (job.next().done && this.#jobs.get(type) === job) this.#jobs.delete(type);
      return true;
    }
    return false;
  }
}
