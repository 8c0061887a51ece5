// UTF-8 of large bodies. Node's own way goes through them character by character: reading also where they are ASCII,
// writing where they are not.

import { isAscii, isUtf8, transcode } from 'node:buffer';

const BYTE_ORDER_MARK = 0xfeff;

/** Shorter bodies are not worth the detour. */
const LONG = 4096;

/** Some runtimes have no `transcode`. */
const transcodes = canTranscode();

/** Reads UTF-8, without a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = decode(buffer);
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

function decode(buffer: Buffer): string {
  if (buffer.length < LONG) return buffer.toString('utf8');
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!transcodes || !isUtf8(buffer)) return buffer.toString('utf8');
  return transcode(buffer, 'utf8', 'utf16le').toString('utf16le');
}

function canTranscode(): boolean {
  try {
    return transcode(Buffer.from('é你😀'), 'utf8', 'utf16le').toString('utf16le') === 'é你😀';
  } catch {
    return false;
  }
}

/** Joins texts and their bytes. A text in pieces is read twice: its pieces are not kept. */
export function encodeParts(given: readonly (string | Uint8Array | Iterable<string>)[]): Buffer<ArrayBuffer> {
  const parts = given.map((part) => (typeof part === 'string' ? (transcoded(part) ?? part) : part));
  const lengths = parts.map(lengthOf);
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') at += write(bytes, part, at, lengths[index] as number);
    else if (part instanceof Uint8Array) {
      bytes.set(part, at);
      at += part.length;
    } else for (const piece of part) at += write(bytes, piece, at, Buffer.byteLength(piece));
  }
  return bytes;
}

const utf8 = new TextEncoder();

/** Gives the bytes of a text in memory of their own, to be kept. */
export function encodeText(text: string): Uint8Array {
  return transcoded(text) ?? utf8.encode(text);
}

/** Where a text is written as UTF-16 before: new memory for each would cost three times as much as the rest. */
let scratch = Buffer.alloc(0);
/** The most bytes of it. */
const SCRATCH = 1024 * 1024;

/** Undefined for short and very long texts, and for those that begin in ASCII: most of these are ASCII, which is fast as it is. */
function transcoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  const size = 2 * text.length;
  if (!transcodes || text.length < LONG || size > SCRATCH || !BEYOND_ASCII.test(text.slice(0, LONG)))
    return undefined;
  if (scratch.length < size) scratch = Buffer.allocUnsafeSlow(size);
  scratch.write(text, 'utf16le');
  try {
    return transcode(scratch.subarray(0, size), 'utf16le', 'utf8') as Buffer<ArrayBuffer>;
  } catch {
    // An unpaired surrogate.
    return undefined;
  }
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

function lengthOf(part: string | Uint8Array | Iterable<string>): number {
  if (typeof part === 'string') return Buffer.byteLength(part);
  if (part instanceof Uint8Array) return part.length;
  let length = 0;
  for (const piece of part) length += Buffer.byteLength(piece);
  return length;
}

/** Only ASCII has as many bytes as characters. */
function write(bytes: Buffer, text: string, at: number, length: number): number {
  return bytes.write(text, at, length, length === text.length ? 'latin1' : 'utf8');
}
