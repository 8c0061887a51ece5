// Compressed by the name, or by the first bytes. zstd is in Node from 22.15 on.

import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Compression } from './block.js';
import { ConvertError } from './convert-error.js';

/** What can be read. Brotli is not written: its streams cannot be put behind one another, as blocks are. */
export type Decompression = Compression | 'brotli';

interface Zstd {
  zstdCompressSync(bytes: Uint8Array): Buffer;
  createZstdDecompress(): Transform;
}

/** One member or frame; nothing for nothing. Owns its memory. */
export function compressBlock(bytes: Buffer, compression: Compression): Uint8Array<ArrayBuffer> {
  if (bytes.length === 0 || compression === 'none') return bytes as Uint8Array<ArrayBuffer>;
  return ownMemory(compressAll(bytes, compression));
}

/** What stands in a file of no rows: a compressed file has to be one, so it is a member with nothing in it. */
export function compressedNothing(compression: Compression): Uint8Array {
  return compression === 'none' ? new Uint8Array(0) : compressAll(Buffer.alloc(0), compression);
}

export function createDecompress(compression: Exclude<Decompression, 'none'>): Transform {
  if (compression === 'gzip') return zlib.createGunzip();
  return compression === 'brotli' ? zlib.createBrotliDecompress() : zstd().createZstdDecompress();
}

export function compressionOfName(name: string): Decompression {
  if (/\.gz(?:ip)?$/i.test(name)) return 'gzip';
  if (/\.br$/i.test(name)) return 'brotli';
  return /\.zstd?$/i.test(name) ? 'zstd' : 'none';
}

/** The name decides only where the bytes do not: brotli has no mark of its own. */
export function compressionOfBytes(bytes: Uint8Array): Decompression {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  const isZstd = bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
  return isZstd ? 'zstd' : 'none';
}

/** Says at once what this Node cannot do. */
export function checkCompression(compression: Decompression): void {
  if (compression === 'zstd') zstd();
}

function zstd(): Zstd {
  if ('zstdCompressSync' in zlib) return zlib as unknown as Zstd;
  throw new ConvertError(
    `zstd needs Node 22.15 or later, and this is ${process.version}. Use gzip, or a newer Node`,
  );
}

function compressAll(bytes: Buffer, compression: Exclude<Compression, 'none'>): Buffer {
  return compression === 'gzip' ? zlib.gzipSync(bytes) : zstd().zstdCompressSync(bytes);
}

/** A small Buffer is a part of a pool that others use too. */
function ownMemory(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const owns = bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length;
  return (owns ? bytes : new Uint8Array(bytes)) as Uint8Array<ArrayBuffer>;
}
