// One output: its sources are cut into blocks, the blocks converted side by side, and what they give is written in
// order, with line numbers and a journal.

import type { BadRow, BlockResult } from './block.js';
import { Checkpoints } from './checkpoints.js';
import { inOrder } from './in-order.js';
import { createLinesBefore } from './line-numbers.js';
import { type Planned, type PlanOptions, planBlocks } from './plan.js';
import type { Pool } from './pool.js';
import { mergedReports, movedReport } from './reports.js';
import type { Sink, Standing } from './sink.js';
import { checkUnchanged, type Source } from './source.js';

export interface Work {
  sources: readonly Source[];
  plan: PlanOptions;
  pool: Pool;
  sink: Sink;
  /** Where an interrupted run left off. */
  standing: Standing;
  strict: boolean;
  stop: AbortSignal;
  /** Least time between two journals. */
  checkpointMs?: number;
  /** Bytes of the input that an earlier run has done. */
  onSkipped(position: number): void;
  /** After each block: bytes of the input that are done with, and what the block gave. */
  onBlock(position: number, done: Done): void;
}

/** What a block, or several, came to. */
export interface Done {
  rows: number;
  bad: number;
}

/** A bad row with its place in the input. */
export interface PlacedBadRow extends BadRow {
  file: string;
}

export interface Outcome {
  standing: Standing;
  state: 'finished' | 'stopped' | 'strict';
  /** The first bad row of a strict run. */
  first?: PlacedBadRow;
}

export async function runJob(work: Work): Promise<Outcome> {
  const { sources, plan, pool, sink, stop } = work;
  let { standing } = work;
  const checkpoints = new Checkpoints(sink, work.checkpointMs);
  const linesBefore = createLinesBefore();
  const results = inOrder({
    items: skipping(planBlocks(sources, plan), standing.blocks, work.onSkipped),
    convert: ({ block }: Planned) => pool.convert(block),
    // Those that each works on and those that wait for it, and some that are done before their turn: nobody is idle.
    window: pool.size * 4 + 1,
    stop,
  });
  try {
    for await (const { item, result } of results) {
      const before = item.source === standing.source ? standing.lines : 0;
      const offset = result.bad.length > 0 ? before + (await linesBefore(item)) : 0;
      const bad = placed(result.bad, offset, sources[item.source]?.path ?? '');
      if (work.strict && bad[0]) {
        await checkpoints.write(standing);
        return await endStrictly(work, standing, result, bad[0]);
      }
      await sink.write(result.output, bad.map(badLine).join(''));
      result.release?.();
      standing = advanced(standing, item.source, before, result);
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

/** Blocks of an earlier run are cut again where they are cut from a stream, but not converted again. */
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

/** The rows in front of the bad one are good. A file is left at the block before, so that another run may go on. */
async function endStrictly(
  { sink }: Work,
  standing: Standing,
  result: BlockResult,
  first: PlacedBadRow,
): Promise<Outcome> {
  await sink.write(result.output, badLine(first));
  return { standing, state: 'strict', first };
}

function advanced(standing: Standing, source: number, before: number, result: BlockResult): Standing {
  return {
    blocks: standing.blocks + 1,
    source,
    lines: before + result.lines,
    report: mergedReports(standing.report, movedReport(result.report, before)),
  };
}

function placed(bad: readonly BadRow[], offset: number, file: string): PlacedBadRow[] {
  return bad.map((row) => ({ ...row, line: offset + row.line + 1, file }));
}

export function badLine({ line, file, reason, path, row, base64 }: PlacedBadRow): string {
  return `${JSON.stringify({ line, file, reason, path, row, ...(base64 !== undefined && { base64 }) })}\n`;
}
