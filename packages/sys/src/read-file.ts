// read_file: the text of a file, from a line on, as far as fits. Big files are read only as far as needed.

import type { FileHandle } from 'node:fs/promises';
import { ToolError } from '@dragoman/core/agent';
import { withoutHalfPair } from './bounded-text.js';
import type { Folder } from './folder.js';

export interface ReadOptions {
  /** The first line, from 1. */
  offset: number;
  /** How many lines at most. */
  limit: number;
  /** How many characters at most. */
  length: number;
  signal: AbortSignal;
}

const CHUNK = 64 * 1024;
/** Where a NUL is looked for: text does not hold any. */
const SNIFF = 8000;
const LINE_BREAK = 10;

export async function readFile(folder: Folder, path: string, options: ReadOptions): Promise<string> {
  const place = await folder.findExisting(path, options.signal);
  const file = await folder.openFile(place);
  try {
    const { size } = await file.stat();
    const lines = new Lines(options);
    await readChunks(file, lines, options.signal);
    return lines.toText(size);
  } finally {
    await file.close();
  }
}

async function readChunks(file: FileHandle, lines: Lines, signal: AbortSignal): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; !lines.full; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, CHUNK, at);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (at === 0 && chunk.subarray(0, SNIFF).includes(0)) {
      throw new ToolError(binary((await file.stat()).size));
    }
    lines.add(chunk);
    at += bytesRead;
  }
  lines.finish();
}

/** Counts lines in bytes, which is right in UTF-8, and decodes only those that are asked for. */
class Lines {
  /** The line the next byte belongs to. */
  #line = 1;
  #text = '';
  #bytes = 0;
  #last = 0;
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #options: ReadOptions;
  readonly #end: number;
  full = false;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#end = options.offset + options.limit;
  }

  add(chunk: Buffer): void {
    const start = this.#skip(chunk, 0, this.#options.offset);
    const end = this.#skip(chunk, start, this.#end);
    this.#bytes += end - start;
    this.#last = chunk.at(-1) ?? this.#last;
    this.#text += this.#decoder.decode(chunk.subarray(start, end), { stream: true });
    // The line behind the last has begun, or there are more characters than fit.
    this.full = this.#line >= this.#end ? end < chunk.length : this.#text.length > this.#options.length;
  }

  finish(): void {
    if (!this.full) this.#text += this.#decoder.decode();
  }

  /** The place in the chunk where that line begins, or its end. */
  #skip(chunk: Buffer, from: number, line: number): number {
    let at = from;
    while (this.#line < line) {
      const found = chunk.indexOf(LINE_BREAK, at);
      if (found < 0) return chunk.length;
      this.#line++;
      at = found + 1;
    }
    return at;
  }

  toText(size: number): string {
    const { offset, length } = this.#options;
    if (size === 0 && this.#text === '') return '[The file is empty.]';
    if (this.#bytes === 0)
      throw new ToolError(`Line ${offset} is behind the end: the file has ${this.#count} lines.`);
    const broken = countBroken(this.#text);
    if (broken * 10 > this.#text.length) throw new ToolError(binary(size));
    const shown = this.#text.length > length ? cutAtLine(this.#text, length) : this.#text;
    const notes = [...this.#goOn(shown, size), ...(broken > 0 ? [unreadable(broken)] : [])];
    if (notes.length === 0) return shown;
    return `${shown}${shown.endsWith('\n') ? '' : '\n'}${notes.join('\n')}`;
  }

  get #count(): number {
    return this.#last === LINE_BREAK ? this.#line - 1 : this.#line;
  }

  #goOn(shown: string, size: number): string[] {
    if (!this.full && shown.length === this.#text.length) return [];
    const { offset } = this.#options;
    const next = offset + countBreaks(shown);
    if (shown.endsWith('\n')) {
      return [`[Lines ${offset} to ${next - 1} of a file of ${size} bytes. Go on with offset ${next}.]`];
    }
    return [`[Cut inside line ${next}, which is too long to show; the file has ${size} bytes.]`];
  }
}

/** At the end of the last line that fits whole; a line that does not fit alone is cut inside. */
function cutAtLine(text: string, length: number): string {
  const whole = text.lastIndexOf('\n', length - 1) + 1;
  return whole > 0 ? text.slice(0, whole) : withoutHalfPair(text.slice(0, length));
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** What is not UTF-8, as the decoder shows it, and NULs, which text does not hold. */
function countBroken(text: string): number {
  return text.match(/[\ufffd\0]/g)?.length ?? 0;
}

function unreadable(count: number): string {
  return `[${count} places show \ufffd: bytes that are not UTF-8. Writing this text back would change them.]`;
}

function binary(size: number): string {
  return `This is a binary file of ${size} bytes, or text that is not UTF-8. Use a command that understands it.`;
}
