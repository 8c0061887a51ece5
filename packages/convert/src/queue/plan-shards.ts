// Cuts the input of a run into shards, in the order of its rows. A shard is a series of blocks, so the concatenated
// bytes of all shards are those of one machine, also where each block is compressed on its own.

import { ConvertError } from '../files/convert-error.js';
import { openParquet } from '../files/parquet/index.js';
import type { Source } from '../files/source.js';
import type { Part } from './shard-job.js';

export interface PlannedShard {
  /** The index of the source. */
  source: number;
  part: Part;
  /** Bytes of the source, compressed if it is. */
  size: number;
}

/** The largest shard in bytes: so much work is lost when a worker is killed. */
const MOST = 64 * 1024 * 1024;
/** The least number of shards, so that many workers finish at about the same time. */
const SHARDS = 64;

/**
 * Gives a multiple of the block size. The same inputs always give the same size, because pieces of an interrupted run
 * must fit.
 */
export function shardSizeFor(total: number, blockSize: number): number {
  return Math.max(1, Math.round(Math.min(total / SHARDS, MOST) / blockSize)) * blockSize;
}

export async function planShards(sources: readonly Source[], shardSize: number): Promise<PlannedShard[]> {
  const shards: PlannedShard[] = [];
  for (const [index, source] of sources.entries()) {
    for (const { part, size } of await partsOf(source, shardSize)) shards.push({ source: index, part, size });
  }
  return shards;
}

async function partsOf(source: Source, shardSize: number): Promise<Omit<PlannedShard, 'source'>[]> {
  const { path, size, seekable, kind } = source;
  if (seekable) return cut('bytes', size, shardSize, (from, to) => to - from);
  if (kind !== 'parquet') return [{ part: { kind: 'whole' }, size }];
  const parquet = await openParquet(path);
  await parquet.close();
  const { groups } = parquet;
  const perShard = Math.max(1, Math.floor((shardSize * groups) / size));
  const bytesBefore = (group: number) => Math.floor((size * group) / groups);
  return cut('groups', groups, perShard, (from, to) => bytesBefore(to) - bytesBefore(from));
}

function cut(
  kind: 'bytes' | 'groups',
  end: number,
  step: number,
  sizeOf: (from: number, to: number) => number,
): Omit<PlannedShard, 'source'>[] {
  return Array.from({ length: Math.ceil(end / step) }, (_, n) => {
    const [from, to] = [n * step, Math.min((n + 1) * step, end)];
    return { part: { kind, from, to }, size: sizeOf(from, to) };
  });
}

export function refusePipes(sources: readonly Source[]): void {
  const pipe = sources.find(({ seekable, size }) => !seekable && size === 0);
  if (!pipe) return;
  const name = pipe.path === '-' ? 'standard input' : pipe.path;
  throw new ConvertError(
    `--queue: workers read files, and ${name} is none. Save it to a file that all can see`,
  );
}
