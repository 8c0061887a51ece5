// Creates the store that a URL names. Only its own driver is loaded.

import { UsageError } from '@dragoman/core';
import type { Store } from '../services.js';
import { type ConnectionOptions, StoreAddress } from './connection.js';
import { MemoryStore, memoryOptionsOf } from './memory-store.js';

export interface StoreOptions extends ConnectionOptions {
  /** For `memory:`. Milliseconds since any fixed point. Default: the machine's clock. */
  now?: () => number;
}

/**
 * `memory:`, `redis://…`, `rediss://…`, `postgres://…`. Throws if the URL is wrong or its driver is missing. An
 * unreachable server does not throw here: `check` reports it, operations fail with a 503 until it is back.
 */
export async function createStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const address = new StoreAddress(url);
  switch (kindOf(address)) {
    case 'memory':
      return new MemoryStore({ ...memoryOptionsOf(url), ...(options.now && { now: options.now }) });
    case 'redis': {
      const { RedisStore } = await import('./redis-store.js');
      return RedisStore.open(address, options);
    }
    case 'postgres': {
      const { PostgresStore } = await import('./postgres-store.js');
      return PostgresStore.open(address, options);
    }
  }
}

/** Whether the URL names a store in the memory of a process. */
export function isMemory(url: string): boolean {
  return kindOf(new StoreAddress(url)) === 'memory';
}

export type StoreKind = 'memory' | 'redis' | 'postgres';

const kinds: ReadonlyMap<string, StoreKind> = new Map([
  ['memory', 'memory'],
  ['redis', 'redis'],
  ['rediss', 'redis'],
  ['postgres', 'postgres'],
  ['postgresql', 'postgres'],
]);

export function kindOf({ scheme }: StoreAddress): StoreKind {
  const kind = kinds.get(scheme);
  if (kind !== undefined) return kind;
  const expected = "expected 'memory:', 'redis://…', 'rediss://…' or 'postgres://…'";
  throw new UsageError('bad-options', `${expected}, found '${scheme}:'`, 'store.url');
}
