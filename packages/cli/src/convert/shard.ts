// One of N parts of the input, by bytes: for those that hand out numbers, such as arrays of Slurm.

import { CommandError } from '../command-error.js';

export interface Shard {
  /** From 1. */
  index: number;
  count: number;
}

export function readShard(text: string): Shard {
  const [, index, count] = /^([0-9]{1,9})\/([0-9]{1,9})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new CommandError(`--shard: expected i/N with i from 1 to N, such as 1/8, found ${text}`);
}

/** The bytes of the whole input that are this shard's: every byte is in exactly one. */
export function shardBounds(total: number, { index, count }: Shard): { from: number; to: number } {
  return { from: Math.floor((total * (index - 1)) / count), to: Math.floor((total * index) / count) };
}

/** As data sets are named in many parts: `train-00002-of-00008`. */
export function shardSuffix({ index, count }: Shard): string {
  return `-${String(index).padStart(5, '0')}-of-${String(count).padStart(5, '0')}`;
}
