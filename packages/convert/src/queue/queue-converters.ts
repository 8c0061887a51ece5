// Uses workers on any number of machines to convert the outputs of a run: each output is cut into shards, and their
// pieces are merged here.

import type { Converters } from '../files/converters.js';
import { totalSize } from '../files/plan.js';
import type { Source } from '../files/source.js';
import type { Address } from './address.js';
import { removePieces } from './pieces.js';
import { refusePipes, shardSizeFor } from './plan-shards.js';
import type { OnQueueEvent } from './queue-events.js';
import { runShards } from './run-shards.js';
import { ShardQueue } from './shard-queue.js';

export interface QueueOptions {
  address: Address;
  /** The folder that all workers share, if it is mounted at different paths. */
  root: string | undefined;
  on: OnQueueEvent;
}

/** How many outputs of a folder are made at the same time, so that workers need not wait for the next. */
const AT_ONCE = 16;

export async function openQueueConverters(
  { address, root, on }: QueueOptions,
  blockSize: number,
): Promise<Converters> {
  const queue = await ShardQueue.open(address, on);
  const shardSizeOf = (sources: readonly Source[]) => shardSizeFor(totalSize(sources), blockSize);
  return {
    atOnce: AT_ONCE,
    isSmall: () => true,
    check: refusePipes,
    // A journal of this run counts shards, not blocks.
    identity: (sources) => ({ shardSize: shardSizeOf(sources) }),
    async run({ output, ...work }) {
      if (output === undefined) throw new Error('workers cannot write to standard output');
      return runShards({ ...work, output, blockSize, shardSize: shardSizeOf(work.sources), queue, root });
    },
    forget: removePieces,
    close: () => queue.close(),
  };
}
