// What converts the blocks of an output: the threads of this process, or the workers of a queue (queue/).

import type { Readable } from 'node:stream';
import type { Settings } from './block.js';
import type { BlockThread, Sizes } from './block-thread.js';
import { type Outcome, runJob, type Work } from './job.js';
import type { Journal } from './journal.js';
import { type Shard, totalSize } from './plan.js';
import { createPools } from './pool.js';
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
  shard: Shard | undefined;
  streams: { input(): Readable };
}

/** `size`: bytes of the whole input; 0 if unknown. `early`: threads that are already running. */
export function createThreads(
  options: ThreadOptions,
  size: number,
  early: readonly BlockThread[] = [],
): Converters {
  const { blockSize, filter, shard, streams } = options;
  const pools = createPools(options, size, early);
  return {
    atOnce: options.jobs,
    isSmall: (sources) => totalSize(sources) <= blockSize,
    check() {},
    identity: () => ({}),
    async run({ settings, ...work }) {
      const { lineLimit } = settings;
      const plan = { blockSize, lineLimit, prompt: filter, standardInput: streams.input };
      return runJob({ ...work, plan: { ...plan, ...(shard && { shard }) }, pool: pools.of(settings) });
    },
    async forget() {},
    close: () => pools.close(),
  };
}
