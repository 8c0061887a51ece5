// Converts one shard into one piece, in a worker. Threads convert the blocks, so the main thread is free to renew the
// shard's lock.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Block, BlockResult } from '../files/block.js';
import { inOrder } from '../files/in-order.js';
import type { Done } from '../files/job.js';
import { OutputFile } from '../files/output-file.js';
import { planBlocks } from '../files/plan.js';
import type { Pool } from '../files/pool.js';
import { NOTHING_YET } from '../files/sink.js';
import type { Source } from '../files/source.js';
import { joinReports } from '../forms/report.js';
import { namePiece, type Piece, type PieceFile, pathOf } from './pieces.js';
import type { ShardJob } from './shard-job.js';

export interface ShardProgress extends Done {
  /** The finished fraction of the shard: 1 is all. */
  share: number;
}

export interface ShardContext {
  pool: Pool;
  /** The job's source and folder, with the paths they have on this machine. */
  source: Source;
  folder: string;
  stop: AbortSignal;
  onProgress(progress: ShardProgress): void;
}

/** `over`: the run has ended, and the piece is not needed any more. */
export type ShardEnd = 'made' | 'stopped' | 'over';

export async function convertShard(job: ShardJob, around: ShardContext): Promise<ShardEnd> {
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
      await writer.write(result);
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

  counts(): Done {
    return { rows: this.#report.rows, bad: this.#report.badRows };
  }

  /** Creates the file: a shard without rows has one, too. */
  open(): Promise<void> {
    return this.#output.open();
  }

  async write({ output, bad, lines, report }: BlockResult): Promise<void> {
    await this.#output.write(output);
    const texts = bad.map((row) => `${JSON.stringify({ ...row, line: this.#lines + row.line })}\n`);
    await this.#bad.write(Buffer.from(texts.join('')));
    this.#report = joinReports(this.#report, report, this.#lines);
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

  /** Removes the temporary files. */
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

// The blocks of a shard: the same that one machine would cut.

export interface ShardBlock {
  block: Block;
  /** The fraction of the shard that is read after this block: 1 is all. */
  share: number;
}

/** `source`: the job's source, with the path it has on this machine. */
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
