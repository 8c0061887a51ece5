// UTF-8 of large bodies. Node's own way goes through them character by character, also where they are ASCII.

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

/** Joins texts and their bytes. */
export function encodeParts(parts: readonly (string | Uint8Array)[]): Buffer<ArrayBuffer> {
  const lengths = parts.map((part) => (typeof part === 'string' ? Buffer.byteLength(part) : part.length));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const length = lengths[index] as number;
    if (typeof part !== 'string') bytes.set(part, at);
    // Only ASCII has as many bytes as characters.
    else bytes.write(part, at, length, length === part.length ? 'latin1' : 'utf8');
    at += length;
  }
  return bytes;
}
