// The unit of a conversion: a block of rows in, its bytes out. The main thread, a worker thread and a worker of the
// queue convert the same blocks, so the same input gives the same bytes wherever they run. Everything here is plain
// data: it crosses threads as a message and machines as JSON (but for the bytes of a `lines` block).

import type { FormChoice } from '../forms/forms.js';
import type { ReportData } from '../forms/report.js';
import type { ScoreSettings } from '../score/score-line.js';
import type { TrainingChoice } from '../train/training.js';

export type Block = RangeBlock | LinesBlock | GroupBlock;

/** The lines of a plain file that begin in [from, to). The last of them may end after `to`. */
export interface RangeBlock {
  kind: 'range';
  file: string;
  from: number;
  to: number;
}

/** Whole lines, cut by the main thread from a source that is not seekable: a pipe, a compressed file. */
export interface LinesBlock {
  kind: 'lines';
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether the stream begins here, so that a byte order mark may come first. */
  first: boolean;
  /** Whether the last line exceeds the limit: its beginning is here, and the rest was skipped. */
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
  keep?: readonly string[] | undefined;
  drop?: readonly string[] | undefined;
  renameTools?: boolean | undefined;
  /** Rows are scored: `from` and `to` have no effect. */
  score?: ScoreSettings | undefined;
  dropNullArguments?: boolean | undefined;
  /** Masks, tokens, prefixes and samples of training data. */
  training?: TrainingSettings | undefined;
  compression: Compression;
  columns?: ParquetColumns | undefined;
  /** Bytes of the longest line that is read. Longer ones are bad rows. */
  lineLimit: number;
  /** A block ends with its first bad row; no later row of it is written. */
  strict: boolean;
}

/**
 * Lists and objects as columns of their own, and the arguments of calls and definitions of tools in them as JSON text, or
 * with `struct` as structs, if these change none of them. Undefined: lists and objects are JSON text.
 */
export type ParquetColumns = 'json' | 'struct';

export interface TrainingSettings extends TrainingChoice {
  tokenizer?: TokenizerFile;
}

/**
 * A `tokenizer.json`, and the hash of it and of the files beside it that are used: other tokens in the second half of a
 * file would be worse than none.
 */
export interface TokenizerFile {
  path: string;
  hash: string;
  /** Whether the chat template beside it frames the messages. */
  chat?: true;
  /** The day that a chat template prints (2026-07-31), where it prints one: the same for all rows of a run. */
  day?: string;
}

/**
 * The compression of the output. Each block is a gzip member or a zstd frame of its own, so a file cut after one is
 * valid.
 */
export type Compression = 'none' | 'gzip' | 'zstd';

export interface BlockResult {
  /** Whole lines, compressed by the settings. Owns its memory, so that a thread can transfer it. */
  output: Uint8Array<ArrayBuffer>;
  bad: BadRow[];
  /** The rows of its examples are numbered by the lines of the block, from 1. */
  report: ReportData;
  /**
   * How many lines of the input it has, blank and bad ones included: the line numbers of later blocks continue from it.
   */
  lines: number;
  /** Called when the output is written: gives the memory back to the thread it came from. */
  release?(): void;
}

export interface BadRow {
  /** The line within the block, from 0. The code that writes the results in order adds the lines before the block. */
  line: number;
  reason: string;
  /** The path in the row; empty for the whole row. */
  path: string;
  /** The line as it was. Of a line that is too long, its beginning. */
  row: string;
  /** The bytes, if they are not UTF-8, so that `row` cannot hold them. */
  base64?: string;
}

/** Converts a block. Made from the settings, once in each thread, and called for each block. */
export type ConvertBlock = (block: Block) => Promise<BlockResult>;
