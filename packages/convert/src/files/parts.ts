// Parts of files of JSON lines, as a filter is given them: a line each, {"path", "start", "end"}. A row belongs to the part
// in which it begins, so parts that are cut anywhere have every row once.

import { Buffer } from 'node:buffer';
import { ConvertError } from './convert-error.js';

export interface FilePart {
  path: string;
  /** Bytes of the file, the second one excluded. */
  from: number;
  to: number;
}

/** Reads whole lines. Throws a ConvertError for one that names no part. */
export function partsIn(lines: Uint8Array<ArrayBuffer>): FilePart[] {
  const text = Buffer.from(lines.buffer).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(partOf);
}

function partOf(line: string): FilePart {
  const { path, start, end } = membersOf(line);
  if (typeof path === 'string' && isPosition(start) && isPosition(end) && start <= end)
    return { path, from: start, to: end };
  const expected = '{"path", "start", "end"}, with positions in bytes';
  throw new ConvertError(`expected a part of a file, ${expected}; found ${line.slice(0, 100)}`, 'input');
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function membersOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
