// Reads rows from an archive (ZIP): each entry of one folder is a JSON document and gives a row. Entries are read one
// after the other as streams, so that memory does not depend on their number.

import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { createDecompress } from './compression.js';
import { ConvertError, messageOf } from './convert-error.js';
import { documentLines } from './json-rows.js';
import type { Source } from './source.js';

interface Entry {
  name: string;
  method: number;
  /** Bytes of the entry in the archive. */
  packed: number;
  /** Where its local header begins. */
  header: number;
}

/** `onRead` gets the position in the archive after each entry. */
export async function* archiveRows(
  { path, size, member = '' }: Source,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const handle = await open(path);
  try {
    const entries = await listEntries(handle, path, size);
    const rows = entries.filter(({ name }) => name.startsWith(`${member}/`) && name.endsWith('.json'));
    for (const [at, entry] of rows.entries()) {
      const start = await dataStart(handle, path, entry);
      yield* documentLines(unpacked(path, entry, start));
      onRead(Math.floor((size * (at + 1)) / rows.length));
    }
  } finally {
    await handle.close();
  }
}

const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;

async function* unpacked(path: string, entry: Entry, start: number): AsyncGenerator<Buffer> {
  if (entry.packed === 0) return;
  const packed = createReadStream(path, { start, end: start + entry.packed - 1 });
  if (entry.method === STORED) {
    yield* packed as AsyncIterable<Buffer>;
    return;
  }
  if (entry.method !== DEFLATED && entry.method !== ZSTD)
    throw damaged(path, `${entry.name} is packed in a way (${entry.method}) that is not known`);
  const unpack = entry.method === DEFLATED ? createInflateRaw() : createDecompress('zstd');
  // Errors of both streams are thrown by the loop below.
  pipeline(Readable.from(packed), unpack, () => {});
  try {
    for await (const piece of unpack) yield piece as Buffer;
  } catch (error) {
    throw damaged(path, `${entry.name}: ${messageOf(error)}`);
  }
}

// --- the directory at the end of the archive -------------------------------------------------------------------

const END_SIZE = 22;
const LONGEST_COMMENT = 65_535;
const END_SIGNATURE = 0x06054b50;
const WIDE_LOCATOR_SIZE = 20;
const WIDE_LOCATOR_SIGNATURE = 0x07064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;
/** Stands where a number needs 64 bits, which are then elsewhere. */
const WIDE = 0xffffffff;
/** A directory of a million samples has about this size. */
const LARGEST_DIRECTORY = 256 * 1024 * 1024;

async function listEntries(handle: FileHandle, path: string, size: number): Promise<Entry[]> {
  const { at, length } = await findDirectory(handle, path, size);
  if (length > LARGEST_DIRECTORY || at + length > size) throw damaged(path, 'its directory has a wrong size');
  const directory = await readAt(handle, path, at, length);
  const entries: Entry[] = [];
  for (let from = 0; from + ENTRY_SIZE <= directory.length; ) {
    if (directory.readUInt32LE(from) !== ENTRY_SIGNATURE) break;
    const name = directory.readUInt16LE(from + 28);
    const extra = directory.readUInt16LE(from + 30);
    const comment = directory.readUInt16LE(from + 32);
    const nameEnd = from + ENTRY_SIZE + name;
    entries.push({
      name: directory.toString('utf8', from + ENTRY_SIZE, nameEnd),
      method: directory.readUInt16LE(from + 10),
      ...placeOf(directory, from, directory.subarray(nameEnd, nameEnd + extra)),
    });
    from = nameEnd + extra + comment;
  }
  return entries;
}

/** Gives size and place of an entry. Those that need 64 bits are in its extra field, in this order. */
function placeOf(directory: Buffer, from: number, extra: Buffer): Pick<Entry, 'packed' | 'header'> {
  const packed = directory.readUInt32LE(from + 20);
  const whole = directory.readUInt32LE(from + 24);
  const header = directory.readUInt32LE(from + 42);
  const wide = wideNumbers(extra);
  let next = whole === WIDE ? 1 : 0;
  const widened = (value: number) => (value === WIDE ? (wide[next++] ?? value) : value);
  return { packed: widened(packed), header: widened(header) };
}

function wideNumbers(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) {
      const end = Math.min(at + 4 + length, extra.length);
      const numbers: number[] = [];
      for (let from = at + 4; from + 8 <= end; from += 8) numbers.push(Number(extra.readBigUInt64LE(from)));
      return numbers;
    }
    at += 4 + length;
  }
  return [];
}

async function findDirectory(
  handle: FileHandle,
  path: string,
  size: number,
): Promise<{ at: number; length: number }> {
  const length = Math.min(size, END_SIZE + LONGEST_COMMENT + WIDE_LOCATOR_SIZE);
  const tail = await readAt(handle, path, size - length, length);
  let end = tail.length - END_SIZE;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) throw damaged(path, 'it has no directory');
  const found = { at: tail.readUInt32LE(end + 16), length: tail.readUInt32LE(end + 12) };
  const locator = end - WIDE_LOCATOR_SIZE;
  const isWide = found.at === WIDE || found.length === WIDE;
  if (!isWide || locator < 0 || tail.readUInt32LE(locator) !== WIDE_LOCATOR_SIGNATURE) return found;
  const wide = await readAt(handle, path, Number(tail.readBigUInt64LE(locator + 8)), 56);
  return { at: Number(wide.readBigUInt64LE(48)), length: Number(wide.readBigUInt64LE(40)) };
}

/** The local header repeats the name, and may have another extra field than the directory. */
async function dataStart(handle: FileHandle, path: string, { header }: Entry): Promise<number> {
  const local = await readAt(handle, path, header, LOCAL_SIZE);
  return header + LOCAL_SIZE + local.readUInt16LE(26) + local.readUInt16LE(28);
}

async function readAt(handle: FileHandle, path: string, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw damaged(path, 'it ends too early');
  return buffer;
}

function damaged(path: string, why: string): ConvertError {
  return new ConvertError(`${path} is damaged or cut off: ${why} (ZIP)`, 'input');
}
