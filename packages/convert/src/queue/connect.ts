// A connection to the queue's Redis that survives its restarts. BullMQ and its driver are loaded only here.

import type * as BullMQ from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import { ConvertError, messageOf } from '../files/convert-error.js';
import { type Address, nameOf, withoutSecrets } from './address.js';
import type { OnQueueEvent } from './queue-events.js';

export interface Connection {
  bullmq: typeof BullMQ;
  client: Redis;
  /** Called when Redis answers again after an outage: it may have lost all jobs. */
  onReturn(listener: () => void): void;
  tell(error: Error): void;
  readonly on: OnQueueEvent;
  close(): void;
}

/** One queue for all runs: every worker serves every run. */
export const QUEUE = 'dragoman-convert';

/** How long a server may take for its first answer. */
const PATIENCE_MS = 3000;
const MOST_RETRY_MS = 1000;

export async function connect(address: Address, on: OnQueueEvent): Promise<Connection> {
  const { bullmq, Redis } = await load();
  const client = new Redis({
    ...address,
    // Commands wait until Redis is back; BullMQ requires this setting.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MOST_RETRY_MS),
  });
  const listeners: (() => void)[] = [];
  let failure = 'no answer';
  client.on('error', (error) => {
    failure = withoutSecrets(messageOf(error), address) || (error as NodeJS.ErrnoException).code || failure;
  });
  if (!(await answers(client))) {
    client.disconnect();
    throw new ConvertError(`the queue's Redis at ${nameOf(address)}: ${failure}`, 'upstream');
  }
  watch(client, nameOf(address), on, () => {
    for (const listener of listeners) listener();
  });
  const told = new Set<string>();
  return {
    bullmq,
    client,
    on,
    onReturn: (listener) => listeners.push(listener),
    tell(error) {
      const text = plainly(withoutSecrets(messageOf(error), address));
      // A lost connection is reported by the watch instead.
      if (told.has(text) || client.status !== 'ready' || /ECONN|closed/.test(text)) return;
      told.add(text);
      on({ type: 'queue-error', message: text });
    },
    close: () => client.disconnect(),
  };
}

/**
 * Rewrites BullMQ's errors on a lost lock: a worker was held up, or Redis lost its data. The shard is made twice, with
 * the same bytes.
 */
function plainly(text: string): string {
  const lost = /^(?:Missing (?:key|lock) for job|could not renew lock)/.test(text);
  return lost ? 'it took a shard for abandoned that is in hands here; going on' : text;
}

async function load(): Promise<{ bullmq: typeof BullMQ; Redis: new (options: RedisOptions) => Redis }> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConvertError(
      '--queue needs two more packages: npm install bullmq@6 ioredis@6, beside dragoman',
    );
  }
}

/** Whether Redis answers a ping in time. A refusal, such as that of a wrong password, ends the wait at once. */
async function answers(client: Redis): Promise<boolean> {
  let pong = false;
  const ping = client.ping().then(() => {
    pong = true;
  });
  await within(PATIENCE_MS, ping);
  return pong;
}

function watch(client: Redis, address: string, on: OnQueueEvent, onReturn: () => void): void {
  let away = false;
  client.on('close', () => {
    if (!away && client.status !== 'end') on({ type: 'redis-lost', address });
    away = true;
  });
  client.on('ready', () => {
    if (away) on({ type: 'redis-back', address });
    away = false;
    onReturn();
  });
}

/** Whether the work ends in time, successfully or not. Cleaning up does not wait for a server that is gone. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  const done = () => true;
  return Promise.race([work.then(done, done), late]).finally(() => clearTimeout(timer));
}
