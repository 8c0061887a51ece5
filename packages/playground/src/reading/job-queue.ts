// Schedules the work of the worker: one text, and at most one job of each kind. Work is done in short slices, between
// which new messages are received.

import { type ReadInput, type ReadJob, Replay, readAll, shuffle } from './jobs.js';

/** A newer request replaces an older one of its kind; `read` replaces all. */
export type WorkerJob =
  | { type: 'read'; input: ReadInput }
  | { type: 'seek'; at: number }
  | { type: 'shuffle'; seed: number };

export type WorkerRequest = WorkerJob & { id: number };

/** The result: a ReadOutcome, a TextReading or a ShuffleResult. */
export type WorkerReply = { id: number } & ({ result: unknown } | { failed: string });

/** Milliseconds of work before new messages are received. */
const TURN = 8;

export class JobQueue {
  #input: ReadInput | undefined;
  #replay: Replay | undefined;
  #jobs = new Map<WorkerJob['type'], ReadJob<void>>();
  #busy = false;

  /** `rest` resolves after the messages that have arrived. */
  constructor(
    readonly reply: (reply: WorkerReply) => void,
    readonly rest: () => Promise<void>,
  ) {}

  take(request: WorkerRequest): void {
    if (request.type === 'read') {
      this.#jobs.clear();
      this.#replay = undefined;
      this.#input = undefined;
    }
    this.#jobs.set(request.type, this.#job(request));
    if (!this.#busy) void this.#work();
  }

  *#job({ id, ...job }: WorkerRequest): ReadJob<void> {
    try {
      const result = job.type === 'read' ? yield* this.#read(job.input) : yield* this.#again(job);
      if (result) this.reply({ id, result });
    } catch (error) {
      this.reply({ id, failed: error instanceof Error ? error.message : String(error) });
    }
  }

  *#read(input: ReadInput): ReadJob<unknown> {
    const result = yield* readAll(input);
    const { dialect, thinking } = result;
    this.#input = { ...input, dialect, thinking };
    return result;
  }

  /** Reads the last text again, up to a place or in random pieces. */
  *#again(job: Exclude<WorkerJob, { type: 'read' }>): ReadJob<unknown> {
    if (!this.#input) return undefined;
    if (job.type === 'shuffle') return yield* shuffle(this.#input, job.seed);
    this.#replay ??= new Replay(this.#input);
    return yield* this.#replay.to(job.at);
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#jobs.size > 0) {
      const started = performance.now();
      while (performance.now() - started < TURN && this.#step());
      await this.rest();
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
