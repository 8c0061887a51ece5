// The coordinator's side of the queue: it adds shards and follows their events. Events are only hints and may be lost
// with Redis; the folder of pieces decides what is done.

import type { Queue, QueueEvents } from 'bullmq';
import type { Address } from './address.js';
import { type Connection, connect, QUEUE, within } from './connect.js';
import type { ShardProgress } from './convert-shard.js';
import type { OnQueueEvent } from './queue-events.js';
import type { ShardJob } from './shard-job.js';

export interface Follower {
  onProgress(index: number, progress: ShardProgress): void;
  onFailed(index: number): void;
  /** Called when a shard has ended or Redis is back: time to look for pieces. */
  onChange(): void;
}

/** `gone`: done, or lost with Redis. */
export type ShardState = 'there' | 'gone' | { failed: string };

/** How many attempts a shard has before it counts as failed. */
const ATTEMPTS = 3;
const BACKOFF_MS = 500;
/** How many jobs go into one message. */
const BATCH = 500;
/** How long cleaning up waits for a Redis that is gone. */
const TIDY_MS = 2000;

export class ShardQueue {
  readonly #followers = new Map<string, Follower>();

  private constructor(
    readonly connection: Connection,
    readonly queue: Queue,
    readonly events: QueueEvents,
  ) {
    queue.on('error', connection.tell);
    events.on('error', connection.tell);
    connection.onReturn(() => {
      for (const follower of this.#followers.values()) follower.onChange();
    });
    events.on('completed', ({ jobId }) => this.#followerOf(jobId)?.onChange());
    events.on('failed', ({ jobId }) => this.#followerOf(jobId)?.onFailed(indexOf(jobId)));
    events.on('progress', ({ jobId, data }) => {
      this.#followerOf(jobId)?.onProgress(indexOf(jobId), data as ShardProgress);
    });
  }

  static async open(address: Address, on: OnQueueEvent): Promise<ShardQueue> {
    const connection = await connect(address, on);
    const { client, bullmq } = connection;
    const queue = new bullmq.Queue(QUEUE, { connection: client });
    return new ShardQueue(connection, queue, new bullmq.QueueEvents(QUEUE, { connection: client }));
  }

  /** Follows a run. Gives a function that ends it. */
  follow(run: string, follower: Follower): () => void {
    this.#followers.set(run, follower);
    return () => this.#followers.delete(run);
  }

  /** Adds shards. Those that are on the queue already are not added twice. */
  async put(jobs: readonly ShardJob[]): Promise<void> {
    for (let at = 0; at < jobs.length; at += BATCH) {
      const batch = jobs.slice(at, at + BATCH).map((data) => ({
        name: 'shard',
        data,
        opts: {
          jobId: idOf(data.run, data.index),
          attempts: ATTEMPTS,
          backoff: { type: 'exponential', delay: BACKOFF_MS },
          removeOnComplete: true,
        },
      }));
      await this.queue.addBulk(batch);
    }
  }

  async stateOf(run: string, index: number): Promise<ShardState> {
    const job = await this.queue.getJob(idOf(run, index));
    if (!job) return 'gone';
    return (await job.isFailed()) ? { failed: job.failedReason ?? '' } : 'there';
  }

  /** Removes the shards that no worker has taken. */
  async withdraw(run: string, indexes: readonly number[]): Promise<void> {
    for (let at = 0; at < indexes.length; at += BATCH) {
      const batch = indexes.slice(at, at + BATCH);
      const removed = Promise.all(batch.map((index) => this.queue.remove(idOf(run, index))));
      if (!(await within(TIDY_MS, removed))) return;
    }
  }

  async close(): Promise<void> {
    await within(TIDY_MS, Promise.all([this.events.close(), this.queue.close()]));
    this.connection.close();
  }

  #followerOf(id: string): Follower | undefined {
    return this.#followers.get(id.slice(0, id.indexOf('-')));
  }
}

function idOf(run: string, index: number): string {
  return `${run}-${index}`;
}

function indexOf(id: string): number {
  return Number(id.slice(id.indexOf('-') + 1));
}
