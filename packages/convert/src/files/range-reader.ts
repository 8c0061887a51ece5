// Reads the lines of a plain file that begin in a range of its bytes. Ranges are cut without looking at the file, so
// each reader finds the first line that begins in its range, and reads past the range to the end of the last.

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { forEachLine, keptOfLongLine, LINE_BREAK, type Lines } from './each-line.js';

const STEP = 64 * 1024;

/** Keeps one file open and one buffer, because consecutive blocks mostly come from the same file. */
export class RangeReader {
  #file: string | undefined;
  #descriptor = -1;
  #buffer = Buffer.alloc(0);

  constructor(readonly lineLimit: number) {}

  /** Reads the lines. The bytes are valid until the next read. */
  read(file: string, from: number, to: number): Lines {
    const { bytes, cut } = this.#read(file, from, to);
    return { bytes, cut, first: from === 0 };
  }

  #read(file: string, from: number, to: number): Omit<Lines, 'first'> {
    this.#open(file);
    // The byte before `from` shows whether a line begins there.
    const begin = Math.max(from - 1, 0);
    // Frees the memory of a very long line.
    if (this.#buffer.length > (to - begin) * 4 + STEP * 4) this.#buffer = Buffer.alloc(0);
    let length = this.#fill(begin, 0, to - begin);
    const start = from === 0 ? 0 : this.#buffer.subarray(0, length).indexOf(LINE_BREAK) + 1;
    const none = from > 0 && start === 0;
    if (none || start >= to - begin || start >= length) return { bytes: Buffer.alloc(0), cut: false };
    // The start of the last line is only needed if the line does not end within the range.
    const whole = length < to - begin || this.#buffer[length - 1] === LINE_BREAK;
    if (whole) return { bytes: this.#buffer.subarray(start, length), cut: false };
    const lastLine = this.#buffer.subarray(0, length).lastIndexOf(LINE_BREAK) + 1;
    for (;;) {
      const more = this.#fill(begin + length, length, Math.max(STEP, length - lastLine));
      const end = this.#buffer.subarray(length, length + more).indexOf(LINE_BREAK);
      if (end >= 0) return { bytes: this.#buffer.subarray(start, length + end + 1), cut: false };
      length += more;
      if (more === 0) return { bytes: this.#buffer.subarray(start, length), cut: false };
      if (length - lastLine > this.lineLimit) {
        return { bytes: this.#buffer.subarray(start, lastLine + keptOfLongLine(this.lineLimit)), cut: true };
      }
    }
  }

  close(): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
    this.#file = undefined;
  }

  #open(file: string): void {
    if (this.#file === file) return;
    this.close();
    this.#descriptor = openSync(file, 'r');
    this.#file = file;
  }

  /** Reads `size` bytes of the file, fewer only at its end, and gives their number. */
  #fill(position: number, at: number, size: number): number {
    if (this.#buffer.length < at + size) {
      const larger = Buffer.allocUnsafeSlow(at + size);
      this.#buffer.copy(larger, 0, 0, at);
      this.#buffer = larger;
    }
    let done = 0;
    while (done < size) {
      const read = readSync(this.#descriptor, this.#buffer, at + done, size - done, position + done);
      if (read === 0) break;
      done += read;
    }
    return done;
  }
}

/** How many bytes of our own files are read at a time. */
const PART = 1 << 20;

/** Gives all lines of a file, some at a time: a part and the longest line bound the memory. */
export function* linesOfFile(file: string): Generator<string[]> {
  const reader = new RangeReader(Number.POSITIVE_INFINITY);
  const { size } = statSync(file);
  try {
    for (let from = 0; from < size; from += PART)
      yield linesOf(reader.read(file, from, Math.min(from + PART, size)));
  } finally {
    reader.close();
  }
}

export function linesOf(lines: Lines): string[] {
  const texts: string[] = [];
  forEachLine(lines, Number.POSITIVE_INFINITY, ({ text }) => texts.push(text));
  return texts;
}
