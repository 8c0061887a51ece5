// Makes one output by workers: cuts its sources into shards, puts the shards on the queue, and merges the pieces in
// order. This is what `runJob` does with blocks on one machine.

import { createReadStream } from 'node:fs';
import type { BadRow } from '../files/block.js';
import type { OutputWork } from '../files/converters.js';
import type { Done, Outcome, PlacedBadRow, Work } from '../files/job.js';
import { advanced, badLine, placed } from '../files/job.js';
import { linesOfFile } from '../files/range-reader.js';
import type { Sink, Standing } from '../files/sink.js';
import { checkUnchanged } from '../files/source.js';
import type { ShardProgress } from './convert-shard.js';
import { PieceWatch } from './piece-watch.js';
import { openPieces, type Piece, pathOf, removePiece, removePieces } from './pieces.js';
import { type PlannedShard, planShards } from './plan-shards.js';
import { fingerprintOf, hashOf, type ShardJob, writerFor } from './shard-job.js';
import type { ShardQueue } from './shard-queue.js';
import { toShared, withFiles } from './shared-paths.js';

export interface ShardWork extends OutputWork {
  output: string;
  blockSize: number;
  shardSize: number;
  queue: ShardQueue;
  root: string | undefined;
}

export async function runShards(work: ShardWork): Promise<Outcome> {
  const { sink, output, queue, strict, stop, resume } = work;
  try {
    const shards = await planShards(work.sources, work.shardSize);
    const run = hashOf({ output: toShared(output, work.root), ...work.identity });
    const folder = await openPieces(output, run, !resume);
    const jobs = toJobs(work, run, folder, shards);
    const tally = new Tally(shards, work);
    const first = work.standing.blocks;
    for (let index = 0; index < first; index++) tally.count(index, { share: 1, rows: 0, bad: 0 });
    const watch = new PieceWatch({
      folder,
      run,
      jobs,
      first,
      queue,
      strict,
      stop,
      onProgress: (index, progress) => tally.count(index, progress),
      describe: (index) => describe(work, shards, index),
    });
    await watch.look();
    tally.begin();
    const outcome = await new Merge(work, shards, folder, watch).run().finally(() => watch.end());
    if (outcome.state === 'finished') await removePieces(output);
    return outcome;
  } finally {
    await sink.close();
  }
}

class Merge {
  #standing: Standing;

  constructor(
    readonly work: ShardWork,
    readonly shards: readonly PlannedShard[],
    readonly folder: string,
    readonly watch: PieceWatch,
  ) {
    this.#standing = work.standing;
  }

  async run(): Promise<Outcome> {
    const { sink, strict } = this.work;
    await this.watch.begin();
    for (let index = this.#standing.blocks; index < this.shards.length; index++) {
      const piece = await this.watch.piece(index);
      if (!piece) return { standing: this.#standing, state: 'stopped' };
      const toMerge = this.#placed(index, piece);
      if (strict && piece.report.badRows > 0) return this.#endStrictly(toMerge);
      await mergePiece(sink, toMerge);
      await this.#advance(toMerge);
    }
    await this.#checkInputs();
    return { standing: await sink.finish(this.#standing), state: 'finished' };
  }

  /** Removes all pieces if an input has changed: its shards do not fit together, and no later run could use them. */
  async #checkInputs(): Promise<void> {
    const { sources, output } = this.work;
    try {
      await checkUnchanged(sources);
    } catch (error) {
      await removePieces(output);
      throw error;
    }
  }

  #placed(index: number, piece: Piece): PieceToMerge {
    const source = this.shards[index]?.source ?? 0;
    const file = this.work.sources[source]?.path ?? '';
    const before = source === this.#standing.source ? this.#standing.lines : 0;
    return { folder: this.folder, index, piece, file, before };
  }

  /** Writes the journal, and only then removes the merged pieces. */
  async #advance({ index, piece, before }: PieceToMerge): Promise<void> {
    this.#standing = advanced(this.#standing, this.shards[index]?.source ?? 0, before, piece);
    await this.work.sink.checkpoint(this.#standing);
    this.watch.merged(index);
    await removePiece(this.folder, index);
  }

  /**
   * Ends a strict run: keeps the rows before the bad one. A piece that ends with the bad row is removed, because another
   * run may need its later rows.
   */
  async #endStrictly(toMerge: PieceToMerge): Promise<Outcome> {
    const { sink } = this.work;
    const first = await firstBadRow(toMerge);
    await sink.checkpoint(this.#standing);
    await mergePiece(sink, { ...toMerge, piece: { ...toMerge.piece, bad: 0 } });
    await sink.write(NOTHING, badLine(first));
    if (toMerge.piece.cut) await removePiece(this.folder, toMerge.index);
    return { standing: this.#standing, state: 'strict', first };
  }
}

function toJobs(work: ShardWork, run: string, folder: string, shards: readonly PlannedShard[]): ShardJob[] {
  const { blockSize, root } = work;
  const settings = withFiles(work.settings, (path) => toShared(path, root));
  const writer = writerFor(settings);
  const fingerprint = fingerprintOf(settings, blockSize, writer);
  const pieces = toShared(folder, root);
  const sources = work.sources.map((source) => ({ ...source, path: toShared(source.path, root) }));
  return shards.map((shard, index) => {
    const source = sources[shard.source];
    if (!source) throw new Error(`shard ${index} has no source`);
    return { run, index, pieces, source, part: shard.part, settings, blockSize, writer, fingerprint };
  });
}

function describe({ sources }: ShardWork, shards: readonly PlannedShard[], index: number): string {
  const { source = 0, part } = shards[index] ?? {};
  const where = part && part.kind !== 'whole' ? `, ${part.kind} ${part.from} to ${part.to}` : '';
  return `shard ${index + 1} of ${shards.length} (${sources[source]?.path}${where})`;
}

/**
 * Counts the progress of all shards. A shard that is started again counts from where it was, so the total never falls.
 */
export class Tally {
  readonly #shards = new Map<number, Done & { bytes: number }>();
  #bytes = 0;
  /** Until the run begins, pieces that are found count as the work of earlier runs. */
  #begun = false;

  constructor(
    readonly shards: readonly PlannedShard[],
    readonly work: Pick<Work, 'onBlock' | 'onSkipped'>,
  ) {}

  begin(): void {
    this.#begun = true;
  }

  count(index: number, { share, rows, bad }: ShardProgress): void {
    const size = this.shards[index]?.size ?? 0;
    const was = this.#shards.get(index) ?? { bytes: 0, rows: 0, bad: 0 };
    const is = {
      bytes: Math.max(was.bytes, Math.min(Math.round(size * share), size)),
      rows: Math.max(was.rows, rows),
      bad: Math.max(was.bad, bad),
    };
    this.#shards.set(index, is);
    this.#bytes += is.bytes - was.bytes;
    if (this.#begun) this.work.onBlock(this.#bytes, { rows: is.rows - was.rows, bad: is.bad - was.bad });
    else this.work.onSkipped(this.#bytes);
  }
}

// --- pieces ----------------------------------------------------------------------------------------------

interface PieceToMerge {
  folder: string;
  index: number;
  piece: Piece;
  /** The source of its rows, and how many lines of it come before. */
  file: string;
  before: number;
}

const NOTHING = new Uint8Array(0);
/** Bytes read at a time, which bounds the memory. */
const STEP = 1 << 20;

async function mergePiece(sink: Sink, { folder, index, piece, file, before }: PieceToMerge): Promise<void> {
  if (piece.output > 0) {
    for await (const bytes of createReadStream(pathOf(folder, index, 'out'), { highWaterMark: STEP }))
      await sink.write(bytes as Buffer, '');
  }
  if (piece.bad === 0) return;
  for (const rows of badRows(pathOf(folder, index, 'bad')))
    await sink.write(NOTHING, placed(rows, before, file).map(badLine).join(''));
}

/** Gives the first row that was set aside, with which a strict run ends. */
async function firstBadRow({ folder, index, file, before }: PieceToMerge): Promise<PlacedBadRow> {
  for (const rows of badRows(pathOf(folder, index, 'bad'))) {
    const [first] = placed(rows, before, file);
    if (first) return first;
  }
  throw new Error(`piece ${index} has no bad row, though its report counts some`);
}

function* badRows(path: string): Generator<BadRow[]> {
  for (const lines of linesOfFile(path)) yield lines.map((line) => JSON.parse(line) as BadRow);
}
