// A worker's part: one shard into one piece. Blocks are converted in threads, so the main thread is free to tell the
// queue that the shard is still in hands.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { BadRow } from '../convert/block.js';
import { inOrder } from '../convert/in-order.js';
import { OutputFile } from '../convert/output-file.js';
import type { Pool } from '../convert/pool.js';
import { mergedReports, movedReport } from '../convert/reports.js';
import { NOTHING_YET } from '../convert/sink.js';
import type { Source } from '../convert/source.js';
import { namePiece, type Piece, type PieceFile, pathOf } from './pieces.js';
import { type ShardBlock, shardBlocks } from './shard-blocks.js';
import type { ShardJob } from './shard-job.js';

export interface ShardProgress {
  /** Of the shard: 1 is all. */
  share: number;
  rows: number;
  bad: number;
}

export interface ShardSurroundings {
  pool: Pool;
  /** The job's source and folder, by the paths they have here. */
  source: Source;
  folder: string;
  stop: AbortSignal;
  onProgress(progress: ShardProgress): void;
}

/** `over`: nobody waits for the piece any more. */
export type ShardEnd = 'made' | 'stopped' | 'over';

export async function convertShard(job: ShardJob, around: ShardSurroundings): Promise<ShardEnd> {
  const { folder, pool, source, stop } = around;
  const writer = new PieceWriter(job, folder);
  try {
    await writer.open();
    const results = inOrder({
      items: shardBlocks(job, source),
      convert: ({ block }: ShardBlock) => pool.convert(block),
      window: pool.size * 4 + 1,
      stop,
    });
    for await (const { item, result } of results) {
      if (!existsSync(folder)) return 'over';
      await writer.write(result.output, result.bad, result.lines, result.report);
      result.release?.();
      around.onProgress({ share: item.share, ...writer.counts() });
      if (writer.isCut) break;
    }
    if (stop.aborted) return 'stopped';
    await writer.finish();
    return 'made';
  } catch (error) {
    if (!existsSync(folder)) return 'over';
    throw error;
  } finally {
    await writer.close();
  }
}

class PieceWriter {
  readonly #tag = randomBytes(6).toString('hex');
  readonly #output: OutputFile;
  readonly #bad: OutputFile;
  #lines = 0;
  #report = NOTHING_YET.report;

  constructor(
    readonly job: ShardJob,
    readonly folder: string,
  ) {
    this.#output = new OutputFile(this.#temporary('out'), 0);
    this.#bad = new OutputFile(this.#temporary('bad'), 0);
  }

  get isCut(): boolean {
    return this.job.settings.strict && this.#report.badRows > 0;
  }

  counts(): { rows: number; bad: number } {
    return { rows: this.#report.rows, bad: this.#report.badRows };
  }

  /** Also a shard without rows has a file. */
  open(): Promise<void> {
    return this.#output.open();
  }

  async write(
    output: Uint8Array,
    bad: readonly BadRow[],
    lines: number,
    report: Piece['report'],
  ): Promise<void> {
    await this.#output.write(output);
    const texts = bad.map((row) => `${JSON.stringify({ ...row, line: this.#lines + row.line })}\n`);
    await this.#bad.write(Buffer.from(texts.join('')));
    this.#report = mergedReports(this.#report, movedReport(report, this.#lines));
    this.#lines += lines;
  }

  async finish(): Promise<void> {
    await this.#output.sync();
    await this.#bad.sync();
    await this.#close();
    const piece: Piece = {
      output: this.#output.length,
      bad: this.#bad.length,
      lines: this.#lines,
      report: this.#report,
      cut: this.isCut,
    };
    await namePiece(this.folder, this.job.index, piece, (kind) => this.#temporary(kind));
  }

  /** Takes away what has no name yet. */
  async close(): Promise<void> {
    await this.#close();
    for (const kind of ['out', 'bad', 'json'] as const) await rm(this.#temporary(kind), { force: true });
  }

  async #close(): Promise<void> {
    await this.#output.close();
    await this.#bad.close();
  }

  #temporary(kind: PieceFile): string {
    return `${pathOf(this.folder, this.job.index, kind)}.${this.#tag}.tmp`;
  }
}
