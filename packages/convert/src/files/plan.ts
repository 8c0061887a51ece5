// Plans the blocks of a job in their order. A seekable source is cut by arithmetic alone; any other is read and cut
// here. The same sources and block size always give the same blocks, on which --resume relies.

import type { Readable } from 'node:stream';
import type { Block, LinesBlock } from './block.js';
import { LineCutter } from './line-cutter.js';
import { openStream } from './open-stream.js';
import { openParquet } from './parquet/index.js';
import { partsIn } from './parts.js';
import { noInput, type Source } from './source.js';

/** One of N parts of the input, by bytes: for schedulers that number their jobs, such as Slurm's arrays. */
export interface Shard {
  /** From 1. */
  index: number;
  count: number;
}

/** Gives the bytes of the whole input that belong to this shard: every byte belongs to exactly one. */
export function shardBounds(total: number, { index, count }: Shard): { from: number; to: number } {
  return { from: Math.floor((total * (index - 1)) / count), to: Math.floor((total * index) / count) };
}

export interface PlanOptions {
  blockSize: number;
  lineLimit: number;
  shard?: Shard;
  /**
   * Ends blocks of a stream with the lines that have arrived, so that no line waits. Only JSON lines are understood
   * then.
   */
  prompt?: boolean;
  /** The lines of a stream name parts of files, whose rows are read. */
  parts?: boolean;
  /** Opens the source `-`. */
  standardInput?(): Readable;
}

export interface Planned {
  block: Block;
  /** The index of the source. */
  source: number;
  /** The `from`, or the group, of the source's first block in this job: more than 0 in a shard. */
  start: number;
  /** How many bytes of the job's part of the sources are read after this block, before decompression. */
  position: number;
  /** Whether it is the last block of a part that a line of the stream named. */
  endsPart?: boolean;
}

export async function* planBlocks(sources: readonly Source[], options: PlanOptions): AsyncGenerator<Planned> {
  const total = totalSize(sources);
  const bounds = options.shard ? shardBounds(total, options.shard) : { from: 0, to: total };
  let before = 0;
  for (const [index, source] of sources.entries()) {
    const from = bounds.from - before;
    const to = bounds.to - before;
    for await (const { position, ...planned } of sourceBlocks(source, from, to, options)) {
      yield { ...planned, source: index, position: before + position - bounds.from };
    }
    before += source.size;
  }
}

export function totalSize(sources: readonly Source[]): number {
  return sources.reduce((sum, { size }) => sum + size, 0);
}

type OfSource = Omit<Planned, 'source'>;

function sourceBlocks(
  source: Source,
  from: number,
  to: number,
  options: PlanOptions,
): AsyncIterable<OfSource> | Iterable<OfSource> {
  if (source.seekable)
    return rangeBlocks(source.path, Math.max(from, 0), Math.min(to, source.size), options.blockSize);
  if (source.kind === 'parquet') return groupBlocks(source, from, to);
  if (options.parts) return partBlocks(source, options);
  // A source that cannot be divided belongs whole to the shard in which it begins.
  const here = options.shard === undefined || (from <= 0 && to > 0);
  return here ? streamBlocks(source, options) : [];
}

/** Cuts at multiples of the block size. */
function* rangeBlocks(file: string, start: number, end: number, size: number): Generator<OfSource> {
  for (let from = start; from < end; ) {
    const to = Math.min((Math.floor(from / size) + 1) * size, end);
    yield { block: { kind: 'range', file, from, to }, start, position: to };
    from = to;
  }
}

async function* groupBlocks(
  { path: file, size }: Source,
  from: number,
  to: number,
): AsyncGenerator<OfSource> {
  const parquet = await openParquet(file).catch((error: unknown) => {
    throw noInput(file, error);
  });
  await parquet.close();
  let start: number | undefined;
  for (let group = 0; group < parquet.groups; group++) {
    const at = Math.floor((size * group) / parquet.groups);
    if (at < from || at >= to) continue;
    start ??= group;
    const position = Math.floor((size * (group + 1)) / parquet.groups);
    yield { block: { kind: 'group', file, group }, start, position };
  }
}

async function* streamBlocks(source: Source, options: PlanOptions): AsyncGenerator<OfSource> {
  const stream = openStream(source, options.prompt ? 'as-it-is' : 'unpack', options.standardInput);
  const cutter = new LineCutter(options.blockSize, options.lineLimit);
  const planned = (block: LinesBlock): OfSource => ({ block, start: 0, position: stream.bytesRead() });
  for await (const piece of stream.pieces) {
    for (const block of cutter.push(piece)) yield planned(block);
    if (options.prompt) for (const block of cutter.flush()) yield planned(block);
  }
  for (const block of cutter.end()) yield planned(block);
}

/** Gives the blocks of each part that a line names. A part without rows has a block, too: its end is told. */
async function* partBlocks(source: Source, options: PlanOptions): AsyncGenerator<OfSource> {
  for await (const { block } of streamBlocks(source, { ...options, prompt: true })) {
    if (block.kind !== 'lines') continue;
    for (const { path, from, to } of partsIn(block.bytes)) {
      const blocks = [...rangeBlocks(path, from, to, options.blockSize)];
      if (blocks.length === 0)
        blocks.push({ block: { kind: 'range', file: path, from, to }, start: 0, position: 0 });
      // Its lines are counted from its beginning: to count those before it would take as long as to read them.
      for (const [at, planned] of blocks.entries())
        yield { ...planned, start: 0, position: 0, endsPart: at === blocks.length - 1 };
    }
  }
}
