// How far a conversion came: a small JSON file beside the output, replaced at once and only after the data it speaks
// of is on the disk. Whatever stands behind its offsets is cut off when the conversion goes on.

import type { Report } from './block.js';

export interface Journal {
  version: 1;
  /** Of everything that changes the bytes of the output. */
  fingerprint: string;
  sources: readonly SourceIdentity[];
  /** All is converted: what is left is to give the files their names. */
  done: boolean;
  /** Where to go on: blocks of the job that are done, in their order. */
  blocks: number;
  /** Bytes of `<output>.partial` and `<bad>.partial` that are good. */
  output: number;
  bad: number;
  badRows: number;
  /** Lines of the current source that are done: what the next block's line numbers begin with. */
  lines: number;
  report: Report;
}

export interface SourceIdentity {
  path: string;
  size: number;
  /** In milliseconds. */
  mtime: number;
}
