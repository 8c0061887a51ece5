// Collects the rows of a block: the output lines as bytes, and the rows that were set aside.

import type { ConvertLine } from '../forms/convert.js';
import { RowError } from '../forms/form.js';
import { Report } from '../forms/report.js';
import type { BadRow, BlockResult, Settings } from './block.js';
import { compressBlock } from './compression.js';
import type { Line } from './each-line.js';

const LINE_BREAK = 0x0a;

export class BlockOutput {
  #bytes: Buffer;
  #length = 0;
  #lines = 0;
  #stopped = false;
  readonly #bad: BadRow[] = [];
  readonly #report = new Report();

  /** `expected`: the size of the input in bytes; the output will be about as large. */
  constructor(
    readonly settings: Settings,
    readonly convertLine: ConvertLine,
    expected: number,
    readonly spare?: SpareMemory,
  ) {
    this.#bytes = this.#take(expected + (expected >> 2) + 4096);
  }

  add(line: Line): void {
    const number = this.#lines++;
    if (this.#stopped) return;
    if (line.fault !== undefined) this.#setAside({ line: number, ...faultOf(line, this.settings.lineLimit) });
    else if (line.text.trim() !== '') this.#convert(number, line);
  }

  finish(): BlockResult {
    const output = compressBlock(this.#bytes.subarray(0, this.#length), this.settings.compression);
    if (output.buffer !== this.#bytes.buffer) this.spare?.give(this.#bytes.buffer as ArrayBuffer);
    return {
      output,
      bad: this.#bad,
      report: this.#report.toJSON(),
      lines: this.#lines,
    };
  }

  #convert(line: number, { text: row, notes = [] }: Line): void {
    try {
      const converted = this.convertLine(row);
      this.#write(converted.text);
      const all = notes.length === 0 ? converted : { ...converted, notes: [...converted.notes, ...notes] };
      this.#report.add(all, line + 1);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      this.#setAside({ line, reason: error.message, path: error.path, row });
    }
  }

  #setAside(bad: BadRow): void {
    this.#bad.push(bad);
    this.#report.addBad();
    this.#stopped = this.settings.strict;
  }

  #write(text: string): void {
    // A UTF-16 code unit has at most three bytes.
    const need = this.#length + text.length * 3 + 1;
    if (need > this.#bytes.length) this.#grow(need);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    this.#bytes[this.#length++] = LINE_BREAK;
  }

  #grow(need: number): void {
    const larger = this.#take(Math.max(need, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.spare?.give(this.#bytes.buffer as ArrayBuffer);
    this.#bytes = larger;
  }

  #take(size: number): Buffer {
    return this.spare?.take(size) ?? Buffer.allocUnsafeSlow(size);
  }
}

function faultOf({ text, fault, bytes }: Line, limit: number): Omit<BadRow, 'line'> {
  const row = { path: '', row: text };
  if (fault === 'too-long') {
    return { reason: `the line is longer than ${limit} bytes; this is its beginning`, ...row };
  }
  return { reason: 'the line is no UTF-8', ...row, ...(bytes && { base64: bytes.toString('base64') }) };
}

/** As many buffers as a thread can have in use. */
const MOST = 8;

/**
 * Reuses the memory of outputs that were written. Allocating and freeing buffers of some megabytes that cross threads
 * fragments the heap, and over gigabytes of input the process would grow.
 */
export class SpareMemory {
  readonly #spare: ArrayBuffer[] = [];

  /** Takes a buffer that is large enough, and not many times too large. */
  take(size: number): Buffer | undefined {
    const at = this.#spare.findIndex(({ byteLength }) => byteLength >= size && byteLength <= size * 4);
    return at < 0 ? undefined : Buffer.from(this.#spare.splice(at, 1)[0] as ArrayBuffer);
  }

  give(memory: ArrayBuffer): void {
    this.#spare.push(memory);
    if (this.#spare.length > MOST) this.#spare.shift();
  }
}
