// Parquet files as rows of JSON text, and rows as Parquet files. The libraries are loaded with the first file.

export { type OpenParquetOptions, openParquet, type ParquetFile } from './open-parquet.js';
export {
  type ParquetCompression,
  type RejectedRow,
  type WriteParquetOptions,
  type WrittenParquet,
  writeParquet,
} from './write-parquet.js';
