// Makes one output: cuts its sources into blocks, converts the blocks in parallel, and writes the results in order,
// with line numbers and a journal.

import { createReadStream } from 'node:fs';
import { joinReports } from '../forms/report.js';
import type { BadRow, BlockResult } from './block.js';
import { Checkpoints } from './checkpoints.js';
import { LINE_BREAK } from './each-line.js';
import { inOrder } from './in-order.js';
import { openParquet } from './parquet/index.js';
import { type Planned, type PlanOptions, planBlocks } from './plan.js';
import type { Pool } from './pool.js';
import type { Sink, Standing } from './sink.js';
import { checkUnchanged, type Source } from './source.js';

export interface Work {
  sources: readonly Source[];
  plan: PlanOptions;
  pool: Pool;
  sink: Sink;
  /** Where an interrupted run stopped. */
  standing: Standing;
  strict: boolean;
  stop: AbortSignal;
  /** Least time between two journals. */
  checkpointMs?: number;
  /** Called with the bytes of the input that an earlier run has converted. */
  onSkipped(position: number): void;
  /** Called after each block, with the bytes of the input that are done, and the block's counts. */
  onBlock(position: number, done: Done): void;
}

/** The row counts of one or several blocks. */
export interface Done {
  rows: number;
  bad: number;
}

/** A bad row with the file it comes from. */
export interface PlacedBadRow extends BadRow {
  file: string;
}

export interface Outcome {
  standing: Standing;
  state: 'finished' | 'stopped' | 'strict';
  /** The first bad row of a strict run. */
  first?: PlacedBadRow;
}

/** An empty line, which no row is: the rows of a part end here. */
const END_OF_PART = Uint8Array.of(LINE_BREAK);

export async function runJob(work: Work): Promise<Outcome> {
  const { sources, plan, pool, sink, stop } = work;
  let { standing } = work;
  const checkpoints = new Checkpoints(sink, work.checkpointMs);
  const linesBefore = createLinesBefore();
  const results = inOrder({
    items: skipping(planBlocks(sources, plan), standing.blocks, work.onSkipped),
    convert: ({ block }: Planned) => pool.convert(block),
    // Enough for the blocks that threads work on, those that wait for them, and some that finish early: no thread is
    // idle.
    window: pool.size * 4 + 1,
    stop,
  });
  try {
    for await (const { item, result } of results) {
      const before = item.source === standing.source ? standing.lines : 0;
      const offset = result.bad.length > 0 ? before + (await linesBefore(item)) : 0;
      const { block, endsPart } = item;
      const file = plan.parts && block.kind === 'range' ? block.file : (sources[item.source]?.path ?? '');
      const bad = placed(result.bad, offset, file);
      if (work.strict && bad[0]) {
        await checkpoints.write(standing);
        return await endStrictly(work, standing, result, bad[0]);
      }
      await sink.write(result.output, bad.map(badLine).join(''));
      if (endsPart) await sink.write(END_OF_PART, '');
      result.release?.();
      standing = advanced(standing, item.source, before, result);
      if (endsPart) standing = { ...standing, lines: 0 };
      work.onBlock(item.position, { rows: result.report.rows, bad: result.bad.length });
      checkpoints.offer(standing);
    }
    if (stop.aborted) {
      await checkpoints.write(standing);
      return { standing, state: 'stopped' };
    }
    await checkpoints.settled();
    await checkUnchanged(sources);
    return { standing: await sink.finish(standing), state: 'finished' };
  } finally {
    await checkpoints.settled().catch(() => {});
    await sink.close();
  }
}

/** Skips the blocks of an earlier run. Those of a stream must be cut again, but are not converted again. */
async function* skipping(
  blocks: AsyncIterable<Planned>,
  count: number,
  onSkipped: Work['onSkipped'],
): AsyncGenerator<Planned> {
  let index = 0;
  for await (const block of blocks) {
    if (index++ >= count) yield block;
    else onSkipped(block.position);
  }
}

/**
 * Ends a strict run. The rows before the bad one are valid. A file is left at the end of the block before, so that
 * another run can resume.
 */
async function endStrictly(
  { sink }: Work,
  standing: Standing,
  result: BlockResult,
  first: PlacedBadRow,
): Promise<Outcome> {
  await sink.write(result.output, badLine(first));
  return { standing, state: 'strict', first };
}

/** Gives the progress after a result, whose source has `before` lines before it. */
export function advanced(
  { blocks, report }: Standing,
  source: number,
  before: number,
  result: Pick<BlockResult, 'lines' | 'report'>,
): Standing {
  const lines = before + result.lines;
  return { blocks: blocks + 1, source, lines, report: joinReports(report, result.report, before) };
}

/** Numbers bad rows by the lines of their file, of which `offset` come before. */
export function placed(bad: readonly BadRow[], offset: number, file: string): PlacedBadRow[] {
  return bad.map((row) => ({ ...row, line: offset + row.line + 1, file }));
}

export function badLine({ line, file, reason, path, row, base64 }: PlacedBadRow): string {
  return `${JSON.stringify({ line, file, reason, path, row, ...(base64 !== undefined && { base64 }) })}\n`;
}

// Each block counts its own lines, and the code that writes them in order adds the lines before. If a shard begins in
// the middle of a file, the lines before it are counted only if there is a bad row.

/** Counts the lines of the block's source, or rows of a Parquet file, before the part that the job converts. */
function createLinesBefore(): (planned: Planned) => Promise<number> {
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

/**
 * Counts the lines that begin before `end`. A line begins after each line break, so a break just before `end` is not
 * counted.
 */
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
