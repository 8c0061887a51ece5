// Splits bytes into lines. A line that is not UTF-8, or is too long, is reported as a fault: it never becomes a string
// that a row could be read from.

import { isUtf8 } from 'node:buffer';
import type { Note } from '../forms/form.js';

/** Whole lines of a file. The last may lack its line break. */
export interface Lines {
  bytes: Buffer;
  /** Whether the file begins here, so that a byte order mark may come first. */
  first: boolean;
  /** Whether the last line exceeds the limit, so that only its beginning is here. */
  cut: boolean;
}

/** A line without its line break, or its fault. */
export interface Line {
  text: string;
  fault?: 'too-long' | 'no-utf8';
  bytes?: Buffer;
  /** What was noted when it was read from a table. */
  notes?: readonly Note[] | undefined;
}

/** Bytes of the longest line that is read. */
export const LINE_LIMIT = 64 * 1024 * 1024;

/** How many bytes of a longer line are kept, to recognise it by. */
export function keptOfLongLine(limit: number): number {
  return Math.min(1024, limit);
}

export const LINE_BREAK = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function forEachLine({ bytes, first, cut }: Lines, limit: number, take: (line: Line) => void): void {
  // All bytes are checked at once; the lines one by one only if that fails.
  const clean = isUtf8(bytes);
  // The byte order mark belongs to the line, but not to the row.
  let mark = first && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  for (let begin = 0; begin < bytes.length; ) {
    const at = bytes.indexOf(LINE_BREAK, begin);
    const end = at < 0 ? bytes.length : at;
    const isLong = (cut && at < 0) || end - begin > limit;
    take(
      isLong
        ? longLine(bytes, begin + mark, begin + keptOfLongLine(limit))
        : toLine(bytes, begin + mark, end, clean),
    );
    begin = end + 1;
    mark = 0;
  }
}

function toLine(bytes: Buffer, start: number, lineEnd: number, clean: boolean): Line {
  const end = lineEnd > start && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
  if (clean || isUtf8(bytes.subarray(start, end))) return { text: bytes.toString('utf8', start, end) };
  return wrongLine(bytes.subarray(start, end));
}

function longLine(bytes: Buffer, start: number, end: number): Line {
  // The last character may be cut in two.
  return { text: bytes.toString('utf8', start, end).replace(/\ufffd{1,3}$/, ''), fault: 'too-long' };
}

function wrongLine(bytes: Buffer): Line {
  return { text: bytes.toString('utf8'), fault: 'no-utf8', bytes };
}
