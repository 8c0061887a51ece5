// Schedules the work of the worker: one text, and at most one job of each kind. Work is done in short slices, between
// which new messages are received.

import type { Dialect } from '@dragoman/core';
import { rankDialects } from './guess.js';
import { type ReadInput, type ReadJob, Replay, readAll, shuffle } from './jobs.js';

/** A newer request replaces an older one of its kind; `read` replaces all. */
export type WorkerJob =
  | { type: 'read'; input: ReadInput }
  | { type: 'seek'; at: number }
  | { type: 'shuffle'; seed: number }
  | { type: 'rank' }
  | { type: 'unwrap'; text: string }
  | { type: 'json'; api: string }
  | { type: 'grammar'; format: string };

export type WorkerRequest = WorkerJob & { id: number };

/** The result: a ReadOutcome, a TextReading … */
export type WorkerReply = { id: number } & ({ result: unknown } | { failed: string });

/** Dialects are loaded when a text needs them. */
export interface DialectSource {
  /** The dialects for a name; undefined if they are not loaded yet. `auto` needs all. */
  for(name: string): readonly Dialect[] | undefined;
  load(): Promise<unknown>;
}

/** What the worker does beside reading, in code that is loaded when it is first asked for. */
export type ExtraWork = (
  job: Extract<WorkerJob, { type: 'unwrap' | 'json' | 'grammar' }>,
  input: ReadInput | undefined,
) => Promise<unknown>;

/** Milliseconds of work before new messages are received. */
const TURN = 8;

export class JobQueue {
  #input: ReadInput | undefined;
  #replay: Replay | undefined;
  #jobs = new Map<WorkerJob['type'], ReadJob<void>>();
  #busy = false;
  /** The last request of each kind. */
  readonly #newest = new Map<WorkerJob['type'], number>();

  /** `rest` resolves after the messages that have arrived. */
  constructor(
    readonly reply: (reply: WorkerReply) => void,
    readonly rest: () => Promise<void>,
    readonly source: DialectSource,
    readonly extra: ExtraWork,
  ) {}

  take(request: WorkerRequest): void {
    if (request.type === 'unwrap' || request.type === 'json' || request.type === 'grammar')
      return void this.#answer(request.id, this.extra(request, this.#input));
    if (request.type === 'read') {
      this.#jobs.clear();
      this.#replay = undefined;
      this.#input = undefined;
    }
    this.#newest.set(request.type, request.id);
    const needed = request.type === 'read' ? request.input.dialect : request.type === 'rank' ? 'auto' : '';
    if (needed === '' || this.source.for(needed)) this.#start(request);
    else void this.#startLoaded(request);
  }

  /** Starts a job when all dialects are loaded, unless a newer one has come. */
  async #startLoaded(request: WorkerRequest): Promise<void> {
    try {
      await this.source.load();
    } catch (error) {
      return this.reply({ id: request.id, failed: messageOf(error) });
    }
    if (this.#newest.get(request.type) === request.id) this.#start(request);
  }

  #start(request: WorkerRequest): void {
    this.#jobs.set(request.type, this.#job(request));
    if (!this.#busy) void this.#work();
  }

  async #answer(id: number, work: Promise<unknown>): Promise<void> {
    try {
      this.reply({ id, result: await work });
    } catch (error) {
      this.reply({ id, failed: messageOf(error) });
    }
  }

  *#job({ id, ...job }: WorkerRequest): ReadJob<void> {
    try {
      const result = job.type === 'read' ? yield* this.#read(job.input) : yield* this.#again(job);
      if (result) this.reply({ id, result });
    } catch (error) {
      this.reply({ id, failed: messageOf(error) });
    }
  }

  *#read(input: ReadInput): ReadJob<unknown> {
    const result = yield* readAll(input, this.source.for(input.dialect) ?? []);
    const { dialect, thinking } = result;
    this.#input = { ...input, dialect, thinking };
    return result;
  }

  /** Reads the last text again: up to a place, in random pieces, in every dialect. */
  *#again(job: Exclude<WorkerJob, { type: 'read' }>): ReadJob<unknown> {
    const input = this.#input;
    if (!input) return undefined;
    if (job.type === 'rank') return yield* rankDialects(input, this.source.for('auto') ?? []);
    const dialects = this.source.for(input.dialect) ?? [];
    if (job.type === 'shuffle') return yield* shuffle(input, dialects, job.seed);
    if (job.type !== 'seek') return undefined;
    this.#replay ??= new Replay(input, dialects);
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

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
