// Reads Parquet files as rows of JSON text, and writes rows as Parquet files. Everything is loaded with the first file:
// most runs have none, and each thread would load it.

import type { openParquet as Open } from './open-parquet.js';
import type { writeParquet as Write } from './write-parquet.js';

export type { OnMerged, ParquetFile } from './open-parquet.js';
export type { RejectedRow } from './write-parquet.js';

export const openParquet: typeof Open = async (...args) =>
  (await import('./open-parquet.js')).openParquet(...args);

export const writeParquet: typeof Write = async (...args) =>
  (await import('./write-parquet.js')).writeParquet(...args);
export { type Survey, type SurveyNote, surveyColumns, tokenColumns } from './survey.js';
