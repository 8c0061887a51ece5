// Parquet files as rows of JSON text, and rows as Parquet files. The libraries are loaded with the first file.

export { openParquet, type ParquetFile } from './open-parquet.js';
export { type RejectedRow, writeParquet } from './write-parquet.js';
