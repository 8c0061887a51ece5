// The pools of a run: one for each setting. There are several only where some outputs of a folder are compressed and
// others are not.

import type { Settings } from './block.js';
import type { RunOptions } from './options.js';
import { createInlinePool, createThreadPool, type Pool } from './pool.js';

export interface Pools {
  of(settings: Settings): Promise<Pool>;
  close(): Promise<void>;
}

/** `size`: bytes of the input; 0 where it is not known. A single block is not worth a thread. */
export function createPools(
  { jobs, blockSize }: Pick<RunOptions, 'jobs' | 'blockSize'>,
  size: number,
): Pools {
  const pools = new Map<string, Promise<Pool>>();
  const threads = size === 0 ? jobs : Math.min(jobs, Math.ceil(size / blockSize));
  const create = async (settings: Settings) =>
    threads > 1 ? createThreadPool(settings, threads) : createInlinePool(settings);
  return {
    of(settings) {
      const key = JSON.stringify(settings);
      const pool = pools.get(key) ?? create(settings);
      pools.set(key, pool);
      return pool;
    },
    async close() {
      for (const pool of pools.values()) await (await pool).close();
    },
  };
}
