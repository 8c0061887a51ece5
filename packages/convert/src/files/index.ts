// @dragoman/convert/files: converts files, folders and streams of rows, on all cores, with journals to resume from.
// This entry loads little, so that threads can start while the main thread loads the converter.

import type { BlockThread } from './block-thread.js';
import type { ConvertFilesOptions, ConvertFilesResult } from './convert-files.js';

export type { ParquetColumns, TokenizerFile, TrainingSettings } from './block.js';
export { type BlockThread, type Sizes, startThreads } from './block-thread.js';
export { ConvertError, type ConvertErrorCode } from './convert-error.js';
export type { ConvertEvent, ConvertFilesOptions, ConvertFilesResult } from './convert-files.js';
export { openParquet, type ParquetFile } from './parquet/index.js';
export type { Shard } from './plan.js';
export { hashTokenizer } from './tokenizer-file.js';

/** Converts as the options say. `threads` are those of `startThreads`. Throws a ConvertError. */
export async function convertFiles(
  options: ConvertFilesOptions,
  threads: readonly BlockThread[] = [],
): Promise<ConvertFilesResult> {
  const run = await import('./convert-files.js');
  return run.convertFiles(options, threads);
}
