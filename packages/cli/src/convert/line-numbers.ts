// Absolute line numbers: each block counts its own lines, and who writes them in order knows what stands before. Where
// a shard begins in the middle of a file, the lines before are counted only if a bad row asks for them.

import { createReadStream } from 'node:fs';
import { LINE_BREAK } from './line-limit.js';
import { openParquet } from './parquet/index.js';
import type { Planned } from './plan.js';

/** Lines of the block's source, or rows of a Parquet file, that stand before the part that the job converts. */
export function createLinesBefore(): (planned: Planned) => Promise<number> {
  const counted = new Map<number, Promise<number>>();
  return (planned) => {
    const lines = counted.get(planned.source) ?? countBefore(planned);
    counted.set(planned.source, lines);
    return lines;
  };
}

async function countBefore({ block, start }: Planned): Promise<number> {
  if (start === 0 || block.kind === 'lines') return 0;
  return block.kind === 'range' ? linesThatBeginBefore(block.file, start) : rowsBefore(block.file, start);
}

/** A line begins behind each line break, so the one in front of `end` counts for what follows. */
async function linesThatBeginBefore(file: string, end: number): Promise<number> {
  let lines = 1;
  if (end < 2) return lines;
  for await (const piece of createReadStream(file, { end: end - 2, highWaterMark: 1 << 20 })) {
    for (let at = piece.indexOf(LINE_BREAK); at >= 0; at = piece.indexOf(LINE_BREAK, at + 1)) lines++;
  }
  return lines;
}

async function rowsBefore(file: string, group: number): Promise<number> {
  const parquet = await openParquet(file);
  let rows = 0;
  for (let n = 0; n < group; n++) rows += (await parquet.readGroup(n)).length;
  await parquet.close();
  return rows;
}
