// Appends a piece to the output: its bytes unchanged, its bad rows with their line numbers in the whole input.

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
  /** The source of its rows, and how many lines of it come before. */
  file: string;
  before: number;
}

const NOTHING = new Uint8Array(0);
/** Bytes read at a time, which bounds the memory. */
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

/** Gives the first row that was set aside, with which a strict run ends. */
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
