// A piece into the output: its bytes as they are, its bad rows with their places in the whole input.

import { createReadStream } from 'node:fs';
import type { BadRow } from '../files/block.js';
import { badLine, type PlacedBadRow } from '../files/job.js';
import { linesOfFile } from '../files/range-reader.js';
import type { Sink } from '../files/sink.js';
import { type Piece, pathOf } from './pieces.js';

export interface PieceToMerge {
  folder: string;
  index: number;
  piece: Piece;
  /** The source of its rows, and the lines of it that stand before. */
  file: string;
  before: number;
}

const NOTHING = new Uint8Array(0);
/** Read at a time; memory is that of one. */
const STEP = 1 << 20;

export async function mergePiece(
  sink: Sink,
  { folder, index, piece, file, before }: PieceToMerge,
): Promise<void> {
  if (piece.output > 0) {
    for await (const bytes of createReadStream(pathOf(folder, index, 'out'), { highWaterMark: STEP }))
      await sink.write(bytes as Buffer, '');
  }
  if (piece.bad === 0) return;
  for (const rows of badRows(pathOf(folder, index, 'bad'))) {
    const placed = rows.map((row) => placedIn(row, file, before));
    await sink.write(NOTHING, placed.map(badLine).join(''));
  }
}

/** The first row that was set aside, which a strict run ends with. */
export async function firstBadRow({ folder, index, file, before }: PieceToMerge): Promise<PlacedBadRow> {
  for (const [first] of badRows(pathOf(folder, index, 'bad')))
    if (first) return placedIn(first, file, before);
  throw new Error(`piece ${index} has no bad row, though its report counts some`);
}

function* badRows(path: string): Generator<BadRow[]> {
  for (const lines of linesOfFile(path)) yield lines.map((line) => JSON.parse(line) as BadRow);
}

function placedIn(row: BadRow, file: string, before: number): PlacedBadRow {
  return { ...row, line: before + row.line + 1, file };
}
