// The pools of a run: one for each setting. There are several only where some outputs of a folder are compressed and
// others are not.

import type { Settings } from './block.js';
import { BlockThread } from './block-thread.js';
import { createSharedPool, type Pool } from './pool.js';
import { type Sizes, threadsFor } from './sizes.js';

export interface Pools {
  of(settings: Settings): Promise<Pool>;
  close(): Promise<void>;
}

/** `size`: bytes of the input; 0 where it is not known. `early`: threads that run already. */
export function createPools(sizes: Sizes, size: number, early: readonly BlockThread[] = []): Pools {
  const pools = new Map<string, Promise<Pool>>();
  const spare = [...early];
  const create = (settings: Settings) => {
    const count = threadsFor(sizes, size) - 1;
    const threads = Array.from({ length: count }, () => spare.shift() ?? new BlockThread());
    return createSharedPool(settings, threads);
  };
  return {
    of(settings) {
      const key = JSON.stringify(settings);
      const pool = pools.get(key) ?? create(settings);
      pools.set(key, pool);
      return pool;
    },
    async close() {
      for (const pool of pools.values()) await (await pool).close();
      for (const thread of spare) await thread.close();
    },
  };
}
