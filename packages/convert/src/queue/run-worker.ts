// Runs a worker: it takes shards from the queue until it is stopped, or until there are none.

import { setTimeout as delay } from 'node:timers/promises';
import type { Job, Worker } from 'bullmq';
import { messageOf } from '../files/convert-error.js';
import { type Address, nameOf } from './address.js';
import { type Connection, connect, QUEUE, within } from './connect.js';
import type { OnQueueEvent } from './queue-events.js';
import { toFailure } from './shard-job.js';
import { createShards, RefusedError, type Shards } from './take-shard.js';

export interface WorkerOptions {
  address: Address;
  jobs: number;
  root: string | undefined;
  /** When the worker ends. */
  until: 'stopped' | 'empty' | 'one';
  /** Gives the current shard back to the queue, and ends the worker. */
  stop: AbortSignal;
  on: OnQueueEvent;
}

/** How many shards the worker has converted, and how many failed. */
export interface WorkerResult {
  made: number;
  failed: number;
}

/**
 * How long a shard's lock lasts without being renewed: after that the worker counts as dead, and another takes the
 * shard. Threads convert, so the main thread is free to renew it.
 */
const LOCK_MS = 5000;
const STALLED_MS = 1500;
/** How often a shard's worker may die before the shard counts as failed. */
const DEATHS = 10;
const PROGRESS_MS = 500;
const LOOK_MS = 500;
/** How often the queue must be found empty: a coordinator may be putting back jobs that Redis has lost. */
const EMPTY_LOOKS = 4;
const TIDY_MS = 5000;

export async function runWorker(options: WorkerOptions): Promise<WorkerResult> {
  const connection = await connect(options.address, options.on);
  const shards = createShards(options);
  try {
    return await new QueueWorker(options, connection, shards).run();
  } finally {
    await shards.close();
    connection.close();
  }
}

class QueueWorker {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #end: () => void = () => {};
  #refusal: RefusedError | undefined;
  #made = 0;
  #failed = 0;

  constructor(
    readonly options: WorkerOptions,
    readonly connection: Connection,
    readonly shards: Shards,
  ) {
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#worker = new connection.bullmq.Worker(QUEUE, (job, token) => this.#take(job, token), {
      connection: connection.client,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      maxStalledCount: DEATHS,
    });
    this.#worker.on('error', connection.tell);
    options.stop.addEventListener('abort', () => this.#end(), { once: true });
  }

  async run(): Promise<WorkerResult> {
    const { address, jobs, until, on } = this.options;
    on({ type: 'waiting', address: nameOf(address), threads: jobs });
    if (until === 'empty') void this.#endWhenEmpty();
    await this.#ended;
    await within(TIDY_MS, this.#worker.close());
    if (this.#refusal) throw this.#refusal;
    return { made: this.#made, failed: this.#failed };
  }

  async #take(job: Job, token: string | undefined): Promise<void> {
    try {
      const end = await this.shards.take(job.data, this.#teller(job));
      if (end === 'stopped') return await this.#giveBack(job, token);
      if (end === 'made') this.#made++;
    } catch (error) {
      if (error instanceof RefusedError) {
        this.#refusal = error;
        return await this.#giveBack(job, token);
      }
      if ((error as Error).name === 'WaitingError') throw error;
      this.#failed++;
      this.options.on({ type: 'shard-failed', message: messageOf(error) });
      throw toFailure(error);
    }
    if (this.options.until === 'one') await this.#last();
  }

  /** Gives the shard back at once, so that another worker need not wait until its lock expires. */
  async #giveBack(job: Job, token: string | undefined): Promise<never> {
    await this.#last();
    await job.moveToWait(token);
    throw new this.connection.bullmq.WaitingError();
  }

  /** Stops taking further shards. */
  async #last(): Promise<void> {
    // A worker that is closing takes no more jobs, and cannot be paused.
    if (!this.options.stop.aborted) await this.#worker.pause(true);
    this.#end();
  }

  #teller(job: Job): (progress: object) => void {
    let told = 0;
    return (progress) => {
      if (Date.now() - told < PROGRESS_MS) return;
      told = Date.now();
      job.updateProgress(progress).catch(() => {});
    };
  }

  /** Ends the worker when the queue is empty. Shards of other workers count as open: these workers may die. */
  async #endWhenEmpty(): Promise<void> {
    const queue = new this.connection.bullmq.Queue(QUEUE, { connection: this.connection.client });
    queue.on('error', this.connection.tell);
    for (let empty = 0; empty < EMPTY_LOOKS && !this.options.stop.aborted; await delay(LOOK_MS)) {
      const counts = await queue.getJobCounts('wait', 'active', 'delayed', 'prioritized');
      empty = Object.values(counts).some((count) => count > 0) ? 0 : empty + 1;
    }
    this.#end();
  }
}
