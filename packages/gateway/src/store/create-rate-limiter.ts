// Limits requests a minute by key, counted in a store that gateways share. A window begins with its first request.

import { createHash } from 'node:crypto';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { RateLimiter } from '../services.js';
import { type ConnectionOptions, StoreAddress } from './connection.js';
import { kindOf } from './create-store.js';

export interface RateLimiterOptions extends ConnectionOptions {
  /**
   * What happens while the shared store cannot be reached. `local`, the default: each gateway counts for itself, so
   * n gateways let up to n times as much through. `open`: nothing is limited. `closed`: requests get a 503.
   */
  whenDown?: 'local' | 'open' | 'closed';
  /** Counts for this gateway alone. Default: in the memory of this process. */
  local?: RequestCount;
}

export interface ClosableRateLimiter extends RateLimiter {
  close(): Promise<void>;
}

const WINDOW = 60;
const PREFIX = 'dragoman:rate';

/** Milliseconds for which a failed store is not used, so that not every request waits for it. */
const PAUSE = 1000;

// The limit is compared here, not by the limiters: each key has its own. They only count.
const counting = { points: 1, duration: WINDOW, keyPrefix: PREFIX };

/** Counts a request. Gives the count and the rest of the window. */
export type RequestCount = (key: string) => Promise<{ count: number; milliseconds: number }>;

interface Counter {
  count: RequestCount;
  close(): Promise<void>;
}

export async function createRateLimiter(
  url: string,
  options: RateLimiterOptions = {},
): Promise<ClosableRateLimiter> {
  const address = new StoreAddress(url);
  const kind = kindOf(address);
  const { local = createLocalCount() } = options;
  if (kind === 'memory') return limiter({ count: local, close: async () => {} });
  const open = kind === 'redis' ? openRedis : openPostgres;
  return limiter(insured(await open(address, options), local, address, options));
}

function limiter({ count, close }: Counter): ClosableRateLimiter {
  return {
    close,
    async take(key, perMinute) {
      const taken = await count(shortened(key));
      if (taken.count <= perMinute) return { ok: true };
      return { ok: false, retryAfter: Math.max(1, Math.ceil(taken.milliseconds / 1000)) };
    },
  };
}

/** The columns of the table have a maximum length. */
function shortened(key: string): string {
  return key.length <= 128 ? key : createHash('sha256').update(key).digest('hex');
}

/** Counts in the memory of this process. */
export function createLocalCount(): RequestCount {
  return countWith(new RateLimiterMemory(counting));
}

function countWith(limiter: Pick<RateLimiterAbstract, 'penalty'>): RequestCount {
  return async (key) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, 1);
    return { count: consumedPoints, milliseconds: msBeforeNext };
  };
}

// --- shared --------------------------------------------------------------------------------------------------

async function openRedis(address: StoreAddress, options: ConnectionOptions): Promise<Counter> {
  const { RedisConnection } = await import('./redis-connection.js');
  const { RateLimiterRedis } = await import('rate-limiter-flexible');
  const connection = await RedisConnection.open(address, options);
  const count = countWith(new RateLimiterRedis({ ...counting, storeClient: connection.client }));
  return { count: (key) => connection.run(() => count(key)), close: () => connection.close() };
}

const table = {
  name: 'dragoman_rates',
  create: `
    create table if not exists dragoman_rates (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`,
};

async function openPostgres(address: StoreAddress, options: ConnectionOptions): Promise<Counter> {
  const { PostgresConnection } = await import('./postgres-connection.js');
  const { RateLimiterPostgres } = await import('rate-limiter-flexible');
  const connection = await PostgresConnection.open(address, table, options);
  // The table is made by the connection. There is a row a key, used again and again: nothing to clear.
  const made = { tableName: table.name, tableCreated: true, clearExpiredByTimeout: false };
  const count = countWith(
    new RateLimiterPostgres({ ...counting, ...made, storeClient: connection.pool, storeType: 'pool' }),
  );
  return { count: (key) => connection.run(() => count(key)), close: () => connection.close() };
}

/** Continues without the shared store while it is unreachable, and logs that. */
function insured(
  shared: Counter,
  local: RequestCount,
  address: StoreAddress,
  options: RateLimiterOptions,
): Counter {
  const { whenDown = 'local', log } = options;
  let failure: unknown;
  let askAgain = 0;
  const fall = async (key: string) => {
    if (whenDown === 'closed') throw failure;
    return whenDown === 'open' ? { count: 0, milliseconds: 0 } : local(key);
  };
  const count: RequestCount = async (key) => {
    if (failure !== undefined && Date.now() < askAgain) return fall(key);
    try {
      const counted = await shared.count(key);
      if (failure !== undefined) log?.info({ store: address.shown }, 'Rate limits are shared again.');
      failure = undefined;
      return counted;
    } catch (error) {
      if (failure === undefined) log?.warn({ store: address.shown, ...reasonOf(error) }, warnings[whenDown]);
      failure = error;
      askAgain = Date.now() + PAUSE;
      return fall(key);
    }
  };
  return { count, close: () => shared.close() };
}

const warnings = {
  local: 'The shared rate limits cannot be reached: this gateway counts alone until they can.',
  open: 'The shared rate limits cannot be reached: nothing is limited until they can.',
  closed: 'The shared rate limits cannot be reached: limited keys are refused until they can.',
};

function reasonOf(error: unknown): { reason?: string } {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? { reason: cause.message } : {};
}
