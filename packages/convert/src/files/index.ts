// @dragoman/convert/files: converts files, folders and streams of rows, on all cores, with journals to resume from.
// This entry loads little, so that threads can start while the main thread loads the converter.

import type { BlockThread } from './block-thread.js';
import type { ConvertFilesOptions, ConvertFilesResult } from './convert-files.js';
import type { ScoreFilesOptions } from './score-files.js';

export type { ParquetColumns, TokenizerFile, TrainingSettings } from './block.js';
export { type BlockThread, type Sizes, startThreads } from './block-thread.js';
export { ConvertError, type ConvertErrorCode } from './convert-error.js';
export type { ConvertEvent, ConvertFilesOptions, ConvertFilesResult } from './convert-files.js';
export { openParquet, type ParquetFile } from './parquet/index.js';
export type { Shard } from './plan.js';
export type { ScoreFilesOptions } from './score-files.js';
export { hashTokenizer } from './tokenizer-file.js';

/** Converts as the options say. `threads` are those of `startThreads`. Throws a ConvertError. */
export async function convertFiles(
  options: ConvertFilesOptions,
  threads: readonly BlockThread[] = [],
): Promise<ConvertFilesResult> {
  const run = await import('./convert-files.js');
  return run.convertFiles(options, threads);
}

/** Scores as the options say: the rows that come out are verdicts, and the report has the counts. */
export async function scoreFiles(
  options: ScoreFilesOptions,
  threads: readonly BlockThread[] = [],
): Promise<ConvertFilesResult> {
  const run = await import('./score-files.js');
  return run.scoreFiles(options, threads);
}
