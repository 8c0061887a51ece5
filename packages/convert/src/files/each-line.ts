// Bytes into lines. Bytes that are no UTF-8 are told, and so is a line that is too long: neither becomes a string
// that a row could be read from.

import { isUtf8 } from 'node:buffer';

/** Whole lines of a file. The last may lack its line break. */
export interface Lines {
  bytes: Buffer;
  /** The file begins here, so a byte order mark may. */
  first: boolean;
  /** The last line is longer than the limit, and only its beginning is here. */
  cut: boolean;
}

/** A line without its line break, or what is wrong with it. */
export interface Line {
  text: string;
  fault?: 'too-long' | 'no-utf8';
  bytes?: Buffer;
}

/** Bytes of the longest line that is read. */
export const LINE_LIMIT = 64 * 1024 * 1024;

/** How much is kept of a line that is longer, to find it by. */
export function keptOfLongLine(limit: number): number {
  return Math.min(1024, limit);
}

export const LINE_BREAK = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function forEachLine({ bytes, first, cut }: Lines, limit: number, take: (line: Line) => void): void {
  // One look at all of them: the lines are looked at singly only where it fails.
  const clean = isUtf8(bytes);
  // The mark is no part of the row, but of the line.
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
  // The last character may have been cut.
  return { text: bytes.toString('utf8', start, end).replace(/\ufffd{1,3}$/, ''), fault: 'too-long' };
}

function wrongLine(bytes: Buffer): Line {
  return { text: bytes.toString('utf8'), fault: 'no-utf8', bytes };
}
