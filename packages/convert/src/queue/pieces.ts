// What workers have made, in a hidden folder beside the output:
//
//   .<output>.pieces/<run>/<shard>.out    its rows
//   .<output>.pieces/<run>/<shard>.bad    its rows that were set aside, if there are any
//   .<output>.pieces/<run>/<shard>.json   that both are whole, and the report of them
//
// Each is written under another name and renamed, the last one last. Two workers that make the same piece give it the
// same bytes, so it does not matter who comes first. The folder, not the queue, says what is done.

import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConvertError, messageOf } from '../files/convert-error.js';
import type { ReportData } from '../forms/report.js';

export interface Piece {
  /** Bytes of its files. */
  output: number;
  bad: number;
  /** Lines of the input: what the numbers of later pieces begin with. */
  lines: number;
  /** Rows named by the lines of the shard, from 1. */
  report: ReportData;
  /** It ends with its first bad row, for the run was strict. */
  cut: boolean;
}

function piecesOf(output: string, run: string): string {
  return join(allPiecesOf(output), run);
}

/** A worker writes only into folders of such names, whatever a job says. */
export function isPiecesFolder(folder: string, run: string): boolean {
  return basename(folder) === run && /^\..+\.pieces$/.test(basename(dirname(folder)));
}

/** Where the output will lie: a worker that does not see it sees nothing of the run. */
export function outputFolderOf(pieces: string): string {
  return dirname(dirname(pieces));
}

function allPiecesOf(output: string): string {
  return join(dirname(output), `.${basename(output)}.pieces`);
}

/** `fresh`: nothing of an earlier run is used. What other options gave never is. */
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

/** A late worker may still be writing there; it finds its folder gone. */
export async function removePieces(output: string): Promise<void> {
  await rm(allPiecesOf(output), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** The shards whose pieces are whole. */
export async function listPieces(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => {
    const [, index] = /^([0-9]+)\.json$/.exec(name) ?? [];
    return index === undefined ? [] : [Number(index)];
  });
}

/** Undefined if it is not there, or is not what it says it is: then it is to be made again. */
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

/** Its mark goes first: half a piece is none. */
export async function removePiece(folder: string, index: number): Promise<void> {
  for (const kind of ['json', 'out', 'bad'] as const) await rm(pathOf(folder, index, kind), { force: true });
}

export type PieceFile = 'out' | 'bad' | 'json';

export function pathOf(folder: string, index: number, kind: PieceFile): string {
  return join(folder, `${index}.${kind}`);
}

/** The files are on the disk under other names. */
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
