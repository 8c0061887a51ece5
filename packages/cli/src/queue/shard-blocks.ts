// The blocks of a shard: those that one machine would cut.

import type { Block } from '../convert/block.js';
import { planBlocks } from '../convert/plan.js';
import type { Source } from '../convert/source.js';
import type { ShardJob } from './shard-job.js';

export interface ShardBlock {
  block: Block;
  /** How much of the shard is read when this block is: 1 is all. */
  share: number;
}

/** `source`: the job's, by the path it has here. */
export async function* shardBlocks(
  { part, blockSize, settings }: Pick<ShardJob, 'part' | 'blockSize' | 'settings'>,
  source: Source,
): AsyncGenerator<ShardBlock> {
  const { path: file, size } = source;
  if (part.kind === 'whole') {
    const lines = planBlocks([source], { blockSize, lineLimit: settings.lineLimit });
    for await (const { block, position } of lines) yield { block, share: position / size };
    return;
  }
  const share = (end: number) => (end - part.from) / (part.to - part.from);
  if (part.kind === 'groups') {
    for (let group = part.from; group < part.to; group++)
      yield { block: { kind: 'group', file, group }, share: share(group + 1) };
    return;
  }
  for (let from = part.from; from < part.to; from += blockSize) {
    const to = Math.min(from + blockSize, part.to);
    yield { block: { kind: 'range', file, from, to }, share: share(to) };
  }
}
