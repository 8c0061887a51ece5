// Finds the inputs: files, folders of files, standard input. The first bytes of a file decide its kind; its name only
// if they do not.

import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Decompression } from './compression.js';
import { checkCompression, compressionOfBytes, compressionOfName } from './compression.js';
import { ConvertError, messageOf } from './convert-error.js';
import { HEAD_SIZE, isDocument } from './json-rows.js';
import { isLog } from './member-rows.js';

export interface Source {
  /** The path as it was given; `-` for standard input. */
  path: string;
  /** The path below the folder it was found in: its output has the same name. */
  name: string;
  /** `lines`: a row a line; `document`: JSON that is a list of rows, or one row over many lines. */
  kind: 'lines' | 'document' | 'parquet' | 'archive';
  /** The rows are elements of this member of the document, or the entries of this folder of the archive. */
  member?: string;
  compression: Decompression;
  /** Whether it can be read from any position: a plain file, not a pipe. */
  seekable: boolean;
  size: number;
  /** In milliseconds; 0 for anything but a file. */
  mtime: number;
}

export const STANDARD_INPUT: Source = {
  path: '-',
  name: 'standard-input.jsonl',
  kind: 'lines',
  compression: 'none',
  seekable: false,
  size: 0,
  mtime: 0,
};

const DATA_NAME = /\.(?:jsonl|ndjson|json)(?:\.(?:gz|gzip|br|zst|zstd))?$|\.parquet$/i;
const PARQUET_NAME = /\.parquet$/i;
const BAD_NAME = /\.bad\.jsonl$/i;

export function isDataName(name: string): boolean {
  return DATA_NAME.test(name);
}

/** Logs of evaluations: an archive (ZIP) with an entry for each row, or a document with a list of them. */
export interface LogFiles {
  /** The ending of archives in folders, with its dot. */
  ending: string;
  /** The member of a document, and the folder of an archive. */
  member: string;
}

export interface Found {
  sources: Source[];
  /** How many files in folders were skipped because they hold bad rows of an earlier run. */
  passedOver: number;
}

/** Finds the sources in the order they are given; those of a folder are sorted by name. */
export async function findSources(
  words: readonly string[],
  outputFolder?: string,
  logs?: LogFiles,
): Promise<Found> {
  const found: Found = { sources: [], passedOver: 0 };
  for (const word of words.length > 0 ? words : ['-']) {
    if (word === '-') found.sources.push(logs ? { ...STANDARD_INPUT, member: logs.member } : STANDARD_INPUT);
    else if (await isFolder(word)) await addFolder(word, outputFolder, found, logs);
    else found.sources.push(await toSource(word, basename(word), logs));
  }
  if (found.sources.filter(({ path }) => path === '-').length > 1) {
    throw new ConvertError('standard input (-) can be read once, and it is named twice');
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw noInput(path, error);
  }
}

async function addFolder(
  folder: string,
  outputFolder: string | undefined,
  found: Found,
  logs: LogFiles | undefined,
): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory() && isInputName(entry.name, logs))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => outputFolder === undefined || !isWithin(path, outputFolder))
    .sort();
  if (paths.length === 0) {
    throw new ConvertError(
      `${folder} holds no data: expected files named .jsonl, .ndjson, .json (also .gz, .br, .zst) or .parquet`,
      'input',
    );
  }
  for (const path of paths) {
    if (BAD_NAME.test(path)) found.passedOver++;
    else found.sources.push(await toSource(path, relative(folder, path), logs));
  }
}

function isInputName(name: string, logs: LogFiles | undefined): boolean {
  return isDataName(name) || (logs !== undefined && name.endsWith(logs.ending));
}

function isWithin(path: string, folder: string): boolean {
  const outer = resolve(folder);
  // Files in the output folder are outputs of an earlier run, not inputs.
  return resolve(path).startsWith(outer + sep);
}

async function toSource(path: string, name: string, logs: LogFiles | undefined): Promise<Source> {
  try {
    const stats = await stat(path);
    // Looking at a pipe's first bytes would consume them.
    if (!stats.isFile()) return { ...STANDARD_INPUT, path, name, ...(logs && { member: logs.member }) };
    const handle = await open(path);
    try {
      return { path, name, size: stats.size, mtime: stats.mtimeMs, ...(await kindOf(path, handle, logs)) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw noInput(path, error);
  }
}

async function kindOf(
  path: string,
  handle: FileHandle,
  logs: LogFiles | undefined,
): Promise<Pick<Source, 'kind' | 'compression' | 'seekable' | 'member'>> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_SIZE), 0, HEAD_SIZE, 0);
  const head = buffer.subarray(0, bytesRead);
  // A file that was cut before its first bytes is a damaged one, not one without rows.
  const isCut = bytesRead < 4 && PARQUET_NAME.test(path);
  if (isCut || head.subarray(0, 4).toString('latin1') === 'PAR1') {
    return { kind: 'parquet', compression: 'none', seekable: false };
  }
  const ofLogs = logs && { member: logs.member };
  if (logs && head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004')
    return { kind: 'archive', compression: 'none', seekable: false, ...ofLogs };
  const compression = compressionOfName(path) === 'brotli' ? 'brotli' : compressionOfBytes(head);
  checkCompression(compression);
  if (compression !== 'none') return { kind: 'lines', compression, seekable: false, ...ofLogs };
  const isOne = isDocument(head, path) || (logs !== undefined && isLog(head, logs.member));
  const kind = isOne ? 'document' : 'lines';
  return { kind, compression, seekable: kind === 'lines', ...ofLogs };
}

/** Throws if a file has changed since it was found: rows may be missing then, or twice. */
export async function checkUnchanged(sources: readonly Source[]): Promise<void> {
  for (const { path, size, mtime } of sources) {
    if (mtime === 0) continue;
    const stats = await stat(path).catch((error: unknown) => {
      throw noInput(path, error);
    });
    if (stats.size === size && stats.mtimeMs === mtime) continue;
    const what = stats.size === size ? 'was written again' : `had ${size} bytes and has ${stats.size}`;
    throw new ConvertError(
      `${path} changed while it was read: it ${what}. Convert it when it is whole; --force starts over`,
      'input',
    );
  }
}

export function noInput(name: string, error: unknown): ConvertError {
  if (error instanceof ConvertError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new ConvertError(`there is no file or folder ${name}`, 'input');
  if (code === 'EISDIR') return new ConvertError(`${name} is a folder, not a file`, 'input');
  return new ConvertError(`cannot read ${name}: ${messageOf(error)}`, 'input');
}
