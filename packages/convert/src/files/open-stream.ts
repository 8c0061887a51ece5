// Opens a source that is not seekable as a stream of lines: decompressed, and a JSON document turned into lines.

import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { archiveRows } from './archive-rows.js';
import { checkCompression, compressionOfBytes, createDecompress, type Decompression } from './compression.js';
import { ConvertError, messageOf } from './convert-error.js';
import { documentLines, HEAD_SIZE, isDocument } from './json-rows.js';
import { isLog, memberRows } from './member-rows.js';
import { noInput, type Source } from './source.js';

export interface SourceStream {
  pieces: AsyncIterable<Buffer>;
  /** How many bytes of the source were read so far, before decompression. */
  bytesRead(): number;
}

/** `as-it-is` reads nothing in advance, so it waits for nothing. `standardInput` opens the source `-`. */
export function openStream(
  source: Source,
  way: 'unpack' | 'as-it-is',
  standardInput: () => Readable = nothing,
): SourceStream {
  let bytes = 0;
  if (source.kind === 'archive')
    return { pieces: archiveRows(source, (read) => (bytes = read)), bytesRead: () => bytes };
  const raw = async function* () {
    const input = source.path === '-' ? standardInput() : createReadStream(source.path);
    try {
      for await (const piece of input) {
        bytes += piece.length;
        yield piece as Buffer;
      }
    } catch (error) {
      throw noInput(source.path === '-' ? 'standard input' : source.path, error);
    }
  };
  return { pieces: way === 'unpack' ? unpacked(raw(), source) : raw(), bytesRead: () => bytes };
}

function nothing(): Readable {
  return Readable.from([]);
}

async function* unpacked(raw: AsyncIterable<Buffer>, source: Source): AsyncGenerator<Buffer> {
  let { head, pieces } = await withHead(raw, 4);
  const compression = source.compression === 'brotli' ? 'brotli' : compressionOfBytes(head);
  if (compression !== 'none') pieces = decompressed(pieces, compression, source.path);
  ({ head, pieces } = await withHead(pieces, HEAD_SIZE));
  const { member, path } = source;
  if (member !== undefined && isLog(head, member)) yield* documentLines(memberRows(pieces, member));
  else if (isDocument(head, path))
    yield* documentLines(member === undefined ? pieces : memberRows(pieces, member));
  else yield* pieces;
}

async function* decompressed(
  pieces: AsyncIterable<Buffer>,
  compression: Exclude<Decompression, 'none'>,
  path: string,
): AsyncGenerator<Buffer> {
  checkCompression(compression);
  const unpack = createDecompress(compression);
  // Errors of both streams are thrown by the loop below.
  pipeline(Readable.from(pieces), unpack, () => {});
  try {
    for await (const piece of unpack) yield piece as Buffer;
  } catch (error) {
    if (error instanceof ConvertError) throw error;
    const what = `${path} is damaged or cut off: ${messageOf(error)} (${compression})`;
    throw new ConvertError(what, 'input');
  }
}

/** Reads the first bytes, and gives a stream that begins with them again. */
async function withHead(
  source: AsyncIterable<Buffer>,
  size: number,
): Promise<{ head: Buffer; pieces: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  let length = 0;
  while (length < size) {
    const next = await iterator.next();
    if (next.done) break;
    taken.push(next.value);
    length += next.value.length;
  }
  const pieces = async function* () {
    yield* taken.splice(0);
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { head: Buffer.concat(taken).subarray(0, size), pieces: pieces() };
}
