// What converts the blocks of an output: the threads of this process, or the workers of a queue (queue/).

import type { Readable } from 'node:stream';
import type { Settings } from './block.js';
import { BlockThread, type Sizes, threadsFor } from './block-thread.js';
import { type Outcome, runJob, type Work } from './job.js';
import type { Journal } from './journal.js';
import { type Shard, totalSize } from './plan.js';
import { createSharedPool, type Pool } from './pool.js';
import type { Source } from './source.js';

export interface Converters {
  /** How many small outputs of a folder are made at the same time. */
  readonly atOnce: number;
  isSmall(sources: readonly Source[]): boolean;
  /** Throws a ConvertError for a source that it cannot read. */
  check(sources: readonly Source[]): void;
  /** What a later run must have in common with this one, besides the settings. */
  identity(sources: readonly Source[]): Journal['options'];
  run(work: OutputWork): Promise<Outcome>;
  /** Removes the files it keeps beside an output. */
  forget(output: string): Promise<void>;
  close(): Promise<void>;
}

/** One output to be made. */
export interface OutputWork extends Omit<Work, 'plan' | 'pool'> {
  /** Undefined: standard output. */
  output: string | undefined;
  settings: Settings;
  identity: Pick<Journal, 'options' | 'sources'>;
  resume: boolean;
}

export interface ThreadOptions extends Sizes {
  filter: boolean;
  parts?: boolean;
  shard: Shard | undefined;
  streams: { input(): Readable };
}

/** `size`: bytes of the whole input; 0 if unknown. `early`: threads that are already running. */
export function createThreads(
  options: ThreadOptions,
  size: number,
  early: readonly BlockThread[] = [],
): Converters {
  const { blockSize, filter, parts = false, shard, streams } = options;
  // There are several pools only if some outputs of a folder are compressed.
  const pools = new Map<string, Pool>();
  const spare = [...early];
  const poolFor = (settings: Settings) => {
    const key = JSON.stringify(settings);
    const create = () => {
      const count = threadsFor(options, size) - 1;
      const threads = Array.from({ length: count }, () => spare.shift() ?? new BlockThread());
      return createSharedPool(settings, threads);
    };
    const pool = pools.get(key) ?? create();
    pools.set(key, pool);
    return pool;
  };
  return {
    atOnce: options.jobs,
    isSmall: (sources) => totalSize(sources) <= blockSize,
    check() {},
    identity: () => ({}),
    async run({ settings, ...work }) {
      const { lineLimit } = settings;
      const plan = { blockSize, lineLimit, prompt: filter, parts, standardInput: streams.input };
      return runJob({ ...work, plan: { ...plan, ...(shard && { shard }) }, pool: poolFor(settings) });
    },
    async forget() {},
    async close() {
      for (const pool of [...pools.values(), ...spare]) await pool.close();
    },
  };
}
