// What a queue tells. In a file of its own: the types of this package are whole where BullMQ is not installed.

/** Events of the queue, for the person who started a run or a worker. */
export type QueueEvent =
  | { type: 'redis-lost' | 'redis-back'; address: string }
  /** Each message is reported once, however often it occurs, and never with a password. */
  | { type: 'queue-error'; message: string }
  /** No shard made progress for a while. */
  | { type: 'no-worker' }
  /** Reported by a worker. */
  | { type: 'waiting'; address: string; threads: number }
  | { type: 'shard-failed'; message: string };

export type OnQueueEvent = (event: QueueEvent) => void;
