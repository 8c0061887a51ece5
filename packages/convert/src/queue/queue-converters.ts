// Workers on any number of machines as the converters of a run: each output is cut into shards, and their pieces are
// put together here.

import type { Converters } from '../files/converters.js';
import { totalSize } from '../files/plan.js';
import type { Source } from '../files/source.js';
import type { Address } from './address.js';
import type { OnQueueEvent } from './connect.js';
import { removePieces } from './pieces.js';
import { refusePipes, shardSizeFor } from './plan-shards.js';
import { runShards } from './run-shards.js';
import { ShardQueue } from './shard-queue.js';

export interface QueueOptions {
  address: Address;
  /** The folder that workers see, where it has another name at each. */
  root: string | undefined;
  on: OnQueueEvent;
}

/** Outputs of a folder that are made at the same time: workers should not have to wait for the next. */
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
    // A journal counts shards of a queue where another counts blocks.
    identity: (sources) => ({ shardSize: shardSizeOf(sources) }),
    async run({ output, ...work }) {
      if (output === undefined) throw new Error('workers cannot write to standard output');
      return runShards({ ...work, output, blockSize, shardSize: shardSizeOf(work.sources), queue, root });
    },
    forget: removePieces,
    close: () => queue.close(),
  };
}
