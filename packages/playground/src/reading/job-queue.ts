// Schedules the work of the worker: one text, and at most one job of each kind. Work is done in short slices, between
// which new messages are received.

import { type ReadInput, type ReadJob, Replay, readAll, shuffle } from './jobs.js';
import type { WorkerReply, WorkerRequest } from './protocol.js';

/** Milliseconds of work before new messages are received. */
const TURN = 8;

export class JobQueue {
  readonly #say: (said: WorkerReply) => void;
  readonly #rest: () => Promise<void>;
  #input: ReadInput | undefined;
  #replay: Replay | undefined;
  #jobs = new Map<WorkerRequest['type'], ReadJob<void>>();
  #busy = false;

  /** `rest` resolves after the messages that have arrived. */
  constructor(say: (said: WorkerReply) => void, rest: () => Promise<void>) {
    this.#say = say;
    this.#rest = rest;
  }

  take(ask: WorkerRequest): void {
    if (ask.type === 'read') {
      this.#jobs.clear();
      this.#replay = undefined;
      this.#input = undefined;
    }
    this.#jobs.set(ask.type, this.#job(ask));
    if (!this.#busy) void this.#work();
  }

  *#job(ask: WorkerRequest): ReadJob<void> {
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

  *#read({ id, input }: WorkerRequest & { type: 'read' }): ReadJob<void> {
    const result = yield* readAll(input);
    const { dialect, thinking } = result;
    this.#input = { ...input, dialect, thinking };
    this.#say({ type: 'read', id, ...result });
  }

  *#seek({ id, at }: WorkerRequest & { type: 'seek' }): ReadJob<void> {
    if (!this.#input) return;
    this.#replay ??= new Replay(this.#input);
    this.#say({ type: 'seek', id, reading: yield* this.#replay.to(at) });
  }

  *#shuffle({ id, seed }: WorkerRequest & { type: 'shuffle' }): ReadJob<void> {
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

  /** Runs one slice of the first job. `read` is always the first: it clears the others. */
  #step(): boolean {
    for (const [type, job] of this.#jobs) {
      if (job.next().done && this.#jobs.get(type) === job) this.#jobs.delete(type);
      return true;
    }
    return false;
  }
}
