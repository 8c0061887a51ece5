// Compression, recognised by the file's name or its first bytes. Node has zstd from 22.15 on.

import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Compression } from './block.js';
import { ConvertError } from './convert-error.js';

/** Formats that can be read. Brotli is not written: its streams cannot be concatenated, as blocks are. */
export type Decompression = Compression | 'brotli';

interface Zstd {
  zstdCompressSync(bytes: Uint8Array): Buffer;
  createZstdDecompress(): Transform;
}

/** Compresses a block into one member or frame; an empty block stays empty. The result owns its memory. */
export function compressBlock(bytes: Buffer, compression: Compression): Uint8Array<ArrayBuffer> {
  if (bytes.length === 0 || compression === 'none') return bytes as Uint8Array<ArrayBuffer>;
  return ownMemory(compressAll(bytes, compression));
}

/** Gives the content of a file without rows: a valid compressed file needs an empty member. */
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

/** Recognises the compression by the first bytes. Only brotli needs the name: it has no magic number. */
export function compressionOfBytes(bytes: Uint8Array): Decompression {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  const isZstd = bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
  return isZstd ? 'zstd' : 'none';
}

/** Throws early if this Node cannot do it. */
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

/** Copies a small Buffer out of Node's shared pool. */
function ownMemory(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const owns = bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length;
  return (owns ? bytes : new Uint8Array(bytes)) as Uint8Array<ArrayBuffer>;
}
