// Finds the inputs: files, folders of files, standard input. The first bytes of a file decide its kind; its name only
// if they do not.

import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Decompression } from './compression.js';
import { checkCompression, compressionOfBytes, compressionOfName } from './compression.js';
import { ConvertError, messageOf } from './convert-error.js';
import { HEAD_SIZE, isDocument } from './json-rows.js';

export interface Source {
  /** The path as it was given; `-` for standard input. */
  path: string;
  /** The path below the folder it was found in: its output has the same name. */
  name: string;
  /** `lines`: a row a line; `document`: JSON that is a list of rows, or one row over many lines. */
  kind: 'lines' | 'document' | 'parquet';
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
const BAD_NAME = /\.bad\.jsonl$/i;

export function isDataName(name: string): boolean {
  return DATA_NAME.test(name);
}

export interface Found {
  sources: Source[];
  /** How many files in folders were skipped because they hold bad rows of an earlier run. */
  passedOver: number;
}

/** Finds the sources in the order they are given; those of a folder are sorted by name. */
export async function findSources(words: readonly string[], outputFolder?: string): Promise<Found> {
  const found: Found = { sources: [], passedOver: 0 };
  for (const word of words.length > 0 ? words : ['-']) {
    if (word === '-') found.sources.push(STANDARD_INPUT);
    else if (await isFolder(word)) await addFolder(word, outputFolder, found);
    else found.sources.push(await toSource(word, basename(word)));
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

async function addFolder(folder: string, outputFolder: string | undefined, found: Found): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory() && isDataName(entry.name))
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
    else found.sources.push(await toSource(path, relative(folder, path)));
  }
}

function isWithin(path: string, folder: string): boolean {
  const outer = resolve(folder);
  // Files in the output folder are outputs of an earlier run, not inputs.
  return resolve(path).startsWith(outer + sep);
}

async function toSource(path: string, name: string): Promise<Source> {
  try {
    const stats = await stat(path);
    // Looking at a pipe's first bytes would consume them.
    if (!stats.isFile()) return { ...STANDARD_INPUT, path, name };
    const handle = await open(path);
    try {
      return { path, name, size: stats.size, mtime: stats.mtimeMs, ...(await kindOf(path, handle)) };
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
): Promise<Pick<Source, 'kind' | 'compression' | 'seekable'>> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_SIZE), 0, HEAD_SIZE, 0);
  const head = buffer.subarray(0, bytesRead);
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') {
    return { kind: 'parquet', compression: 'none', seekable: false };
  }
  const compression = compressionOfName(path) === 'brotli' ? 'brotli' : compressionOfBytes(head);
  checkCompression(compression);
  if (compression !== 'none') return { kind: 'lines', compression, seekable: false };
  const kind = isDocument(head, path) ? 'document' : 'lines';
  return { kind, compression, seekable: kind === 'lines' };
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
