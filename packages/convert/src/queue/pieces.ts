// The pieces that workers have made, in a hidden folder beside the output:
//
//   .<output>.pieces/<run>/<shard>.out    its rows
//   .<output>.pieces/<run>/<shard>.bad    its rows that were set aside, if there are any
//   .<output>.pieces/<run>/<shard>.json   marks both as complete, and holds their report
//
// Each is written under a temporary name and renamed, the `.json` last. Two workers that make the same piece give it
// the same bytes, so it does not matter which is first. The folder, not the queue, decides what is done.

import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConvertError, messageOf } from '../files/convert-error.js';
import type { ReportData } from '../forms/report.js';

export interface Piece {
  /** The sizes of its files in bytes. */
  output: number;
  bad: number;
  /** How many lines of the input it has: the line numbers of later pieces continue from it. */
  lines: number;
  /** Rows are numbered by the lines of the shard, from 1. */
  report: ReportData;
  /** Whether it ends with its first bad row, because the run was strict. */
  cut: boolean;
}

function piecesOf(output: string, run: string): string {
  return join(allPiecesOf(output), run);
}

/** Whether a worker may write to the folder: it accepts only such names, whatever a job names. */
export function isPiecesFolder(folder: string, run: string): boolean {
  return basename(folder) === run && /^\..+\.pieces$/.test(basename(dirname(folder)));
}

/** Gives the folder of the output: a worker that cannot see it has no access to the files of the run. */
export function outputFolderOf(pieces: string): string {
  return dirname(dirname(pieces));
}

function allPiecesOf(output: string): string {
  return join(dirname(output), `.${basename(output)}.pieces`);
}

/** `fresh`: removes the pieces of earlier runs. Pieces made with other options are never used. */
export async function openPieces(output: string, run: string, fresh: boolean): Promise<string> {
  const folder = piecesOf(output, run);
  try {
    if (fresh) await removePieces(output);
    await mkdir(folder, { recursive: true });
    for (const other of await readdir(dirname(folder)))
      if (other !== run) await rm(join(dirname(folder), other), { recursive: true, force: true });
  } catch (error) {
    throw new ConvertError(`cannot write ${folder}: ${messageOf(error)}`);
  }
  return folder;
}

/** Removes all pieces. A late worker that still writes there finds its folder gone. */
export async function removePieces(output: string): Promise<void> {
  await rm(allPiecesOf(output), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Lists the shards whose pieces are complete. */
export async function listPieces(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => {
    const [, index] = /^([0-9]+)\.json$/.exec(name) ?? [];
    return index === undefined ? [] : [Number(index)];
  });
}

/** Reads a piece; undefined if it is missing or damaged: then it is made again. */
export async function readPiece(folder: string, index: number): Promise<Piece | undefined> {
  try {
    const piece = JSON.parse(await readFile(pathOf(folder, index, 'json'), 'utf8')) as Piece;
    const whole =
      (await sizeOf(pathOf(folder, index, 'out'))) === piece.output &&
      (await sizeOf(pathOf(folder, index, 'bad'))) === piece.bad;
    if (whole) return piece;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw new ConvertError(`cannot read a piece: ${messageOf(error)}`);
  }
  await removePiece(folder, index);
  return undefined;
}

/** Removes a piece, its `.json` first, so that no incomplete piece counts. */
export async function removePiece(folder: string, index: number): Promise<void> {
  for (const kind of ['json', 'out', 'bad'] as const) await rm(pathOf(folder, index, kind), { force: true });
}

export type PieceFile = 'out' | 'bad' | 'json';

export function pathOf(folder: string, index: number, kind: PieceFile): string {
  return join(folder, `${index}.${kind}`);
}

/** Renames the files of a piece, which are on the disk under temporary names. */
export async function namePiece(
  folder: string,
  index: number,
  piece: Piece,
  temporary: (kind: PieceFile) => string,
): Promise<void> {
  await rename(temporary('out'), pathOf(folder, index, 'out'));
  if (piece.bad > 0) await rename(temporary('bad'), pathOf(folder, index, 'bad'));
  await writeFile(temporary('json'), JSON.stringify(piece), { flush: true });
  await rename(temporary('json'), pathOf(folder, index, 'json'));
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
