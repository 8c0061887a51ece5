// The unit of a conversion: a block of rows in, its bytes out. The main thread, a worker thread and a worker of the
// queue convert the same blocks, so the same input gives the same bytes wherever they run. Everything here is plain
// data: it crosses threads as a message and machines as JSON (but for the bytes of a `lines` block).

import type { FormChoice } from '../forms/forms.js';
import type { ReportData } from '../forms/report.js';

export type Block = RangeBlock | LinesBlock | GroupBlock;

/** The lines of a plain file that begin in [from, to). The last of them may end behind `to`. */
export interface RangeBlock {
  kind: 'range';
  file: string;
  from: number;
  to: number;
}

/** Whole lines, cut by the main thread from what cannot be sought: a pipe, a compressed file. */
export interface LinesBlock {
  kind: 'lines';
  bytes: Uint8Array<ArrayBuffer>;
  /** The stream begins here, so a byte order mark may. */
  first: boolean;
  /** The last line is longer than a line may be: its beginning is here, and its end was passed over. */
  cut: boolean;
}

/** A row group of a Parquet file. */
export interface GroupBlock {
  kind: 'group';
  file: string;
  group: number;
}

/** What a conversion does to each row, and how its output is written. The same for every block of a run. */
export interface Settings {
  from: FormChoice;
  to: FormChoice;
  keep?: readonly string[];
  drop?: readonly string[];
  renameTools?: boolean;
  compression: Compression;
  /** Bytes of the longest line that is read. Longer ones are bad rows. */
  lineLimit: number;
  /** A block ends with its first bad row; no later row of it is written. */
  strict: boolean;
}

/** Of the output. Each block is a member (gzip) or a frame (zstd) of its own: a file cut behind one is valid. */
export type Compression = 'none' | 'gzip' | 'zstd';

export interface BlockResult {
  /** Whole lines, compressed as the settings say. Owns its memory, so that a thread can hand it over. */
  output: Uint8Array<ArrayBuffer>;
  bad: BadRow[];
  /** The rows of its examples are lines of the block, from 1. */
  report: ReportData;
  /** Lines of the input, blank and bad ones too: what the line numbers of later blocks begin with. */
  lines: number;
  /** Its output is written: the memory goes back to the thread it came from. */
  release?(): void;
}

export interface BadRow {
  /** Within the block, from 0: who writes the results in order adds the lines before the block. */
  line: number;
  reason: string;
  /** Where in the row; empty for the whole of it. */
  path: string;
  /** The line as it stood there. Of a line that is too long, its beginning. */
  row: string;
  /** The bytes, where they are no UTF-8 and `row` cannot hold them. */
  base64?: string;
}

/** Thread, queue and main thread make one of these from the settings and call it for each block. */
export type ConvertBlock = (block: Block) => Promise<BlockResult>;
