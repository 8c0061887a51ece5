// Reads a Parquet file as rows of JSON text, one row group at a time. Only the footer and the requested groups are
// read: the largest group bounds the memory.
//
// Null members of rows and structs are left out: a column of structs has the members of all rows, so a call would
// otherwise have the arguments of every other call as null. A null that the author meant is lost, too; Parquet cannot
// tell the two apart, so rows with such arguments are told. Null elements of lists and values of maps stay.

import { type FileHandle, open } from 'node:fs/promises';
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet';
import { ConvertError, messageOf } from '../convert-error.js';
import { noInput } from '../source.js';
import { bytesText, jsonText } from './leaf-text.js';
import { type Nulls, type Shape, shapeOf, structText, textOf } from './read-shape.js';

export interface ParquetFile {
  readonly rows: number;
  /** The number of row groups. */
  readonly groups: number;
  /**
   * Reads the rows of a group, each the JSON text of an object, without line breaks. `onMerged` hears of the columns of
   * rows that hold arguments or schemas as structs, of which null members were left out.
   */
  readGroup(index: number, onMerged?: OnMerged): Promise<string[]>;
  close(): Promise<void>;
}

/** `row` counts within its group, from 0. */
export type OnMerged = (row: number, column: string) => void;

interface OpenParquetOptions {
  /** What to do with null members. Default: `drop`. */
  nulls?: Nulls;
}

/** The largest decompressed page in bytes: writers stop at a few megabytes, so more is an error or an attack. */
const PAGE_LIMIT = 1 << 30;

/** Two marks of four bytes, and the length of the footer. */
const LEAST_BYTES = 12;

/** The most rows of a group: the longest array that JavaScript has. */
const ROW_LIMIT = 2 ** 32 - 1;

/** Throws a ConvertError for a file that cannot be read, here and when a group is read. */
export async function openParquet(path: string, options: OpenParquetOptions = {}): Promise<ParquetFile> {
  const handle = await open(path).catch((error: unknown) => {
    throw noInput(path, error);
  });
  try {
    const { size } = await handle.stat();
    const file = rangesOf(handle, size);
    const shape = await readShape(file, options.nulls ?? 'drop');
    return new OpenFile(path, handle, file, shape, options.nulls ?? 'drop');
  } catch (error) {
    await handle.close();
    throw isReadError(error)
      ? noInput(path, error)
      : new ConvertError(
          `${path} is no Parquet file that can be read: ${messageOf(error)}. ${ADVICE}`,
          'input',
        );
  }
}

const ADVICE = 'Write the file anew, or leave it out';

/** Whether the error is the system's (reading the file), not the Parquet reader's. */
function isReadError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException)?.code === 'string' && !(error instanceof RangeError);
}

async function readShape(file: AsyncBuffer, nulls: Nulls): Promise<Shape> {
  if (file.byteLength < LEAST_BYTES) {
    const empty = file.byteLength === 0 ? 'it is empty: ' : '';
    throw new Error(`${empty}expected at least ${LEAST_BYTES} bytes, found ${file.byteLength}`);
  }
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  const magic = Buffer.from(await file.slice(file.byteLength - 4, file.byteLength)).toString('latin1');
  if (magic === 'PARE') throw new Error('it is encrypted');
  if (magic !== 'PAR1') throw new Error('it does not end with PAR1, as if it was cut off');
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  const shape = shapeOf(metadata, parquetSchema(metadata), nulls);
  for (const { num_rows: rows } of shape.plain.row_groups) {
    if (!(rows >= 0 && rows <= ROW_LIMIT)) throw new Error(`a row group claims to have ${rows} rows`);
    if (rows > 0 && shape.columns.length === 0) throw new Error(`it has ${rows} rows, but no columns`);
  }
  return shape;
}

function rangesOf(handle: FileHandle, size: number): AsyncBuffer {
  return {
    byteLength: size,
    slice(start, end = size) {
      const bytes = readRange(handle, start, end, size);
      // Ranges are fetched ahead; if several fail, only the first is awaited.
      bytes.catch(() => {});
      return bytes;
    },
  };
}

async function readRange(handle: FileHandle, start: number, end: number, size: number): Promise<ArrayBuffer> {
  if (!(start >= 0 && start <= end && end <= size)) {
    throw new Error(`it speaks of bytes ${start} to ${end}, but has ${size}`);
  }
  const bytes = new Uint8Array(end - start);
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
    if (bytesRead === 0) throw new Error('it became shorter while it was read');
    done += bytesRead;
  }
  return bytes.buffer;
}

class OpenFile implements ParquetFile {
  readonly rows: number;
  readonly groups: number;

  constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly file: AsyncBuffer,
    private readonly shape: Shape,
    private readonly nulls: Nulls,
  ) {
    const groups = shape.plain.row_groups;
    this.rows = groups.reduce((rows, group) => rows + Number(group.num_rows), 0);
    this.groups = groups.length;
  }

  async readGroup(index: number, onMerged: OnMerged = () => {}): Promise<string[]> {
    const group = this.shape.plain.row_groups[index];
    if (!group) throw new RangeError(`expected a row group below ${this.groups}, found ${index}`);
    try {
      const rows = Number(group.num_rows);
      const columns = await this.readColumns({ ...this.shape.plain, row_groups: [group] }, rows);
      return this.toRows(columns, rows, onMerged);
    } catch (error) {
      const where = `${this.path}, row group ${index + 1} of ${this.groups}`;
      throw new ConvertError(`${where} cannot be read: ${reasonOf(error)}`, 'input');
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /** Reads the values of each column, in one piece for each page. */
  private async readColumns(
    metadata: FileMetaData,
    rows: number,
  ): Promise<Map<string, ArrayLike<unknown>[]>> {
    const { parquetRead } = await import('hyparquet');
    const columns = new Map<string, ArrayLike<unknown>[]>();
    const parsers = {
      stringFromBytes: bytesText,
      jsonFromBytes: jsonText,
      timestampFromNanoseconds: (nanos: bigint) => nanos,
    };
    const onChunk = ({ columnName, columnData }: { columnName: string; columnData: ArrayLike<unknown> }) => {
      const pieces = columns.get(columnName);
      if (pieces) pieces.push(columnData);
      else columns.set(columnName, [columnData]);
    };
    const compressors = await loadCompressors();
    // hyparquet's types demand that parsers give dates; it passes on any value.
    const given = parsers as never;
    await parquetRead({
      file: this.file,
      metadata,
      rowEnd: rows,
      utf8: false,
      parsers: given,
      compressors,
      onChunk,
    });
    return columns;
  }

  private toRows(
    columns: ReadonlyMap<string, ArrayLike<unknown>[]>,
    rows: number,
    onMerged: OnMerged,
  ): string[] {
    const { leftOut } = this.shape;
    const texts = this.shape.columns.map((column) => {
      const pieces = columns.get(column.name) ?? [];
      const found = pieces.reduce((sum, { length }) => sum + length, 0);
      if (found !== rows && rows > 0) {
        throw new Error(`column ${column.label.slice(0, -1)} has ${found} values for ${rows} rows`);
      }
      const name: string = JSON.parse(column.label.slice(0, -1));
      let row = 0;
      const toText = (value: unknown) => {
        const before = leftOut.nulls;
        const text = textOf(column.text, value);
        if (leftOut.nulls > before) onMerged(row, name);
        row++;
        return text;
      };
      return pieces.flatMap((piece) => Array.from(piece, toText));
    });
    // The values are JSON text already: the row is a struct of them.
    const members = this.shape.columns.map(({ label }, n) => ({ name: String(n), label, text: String }));
    const toText = structText(members, this.nulls) as (row: (string | undefined)[]) => string;
    return Array.from({ length: rows }, (_, row) => toText(texts.map((column) => column[row])));
  }
}

/** Explains an error of hyparquet. Some versions of Arrow write such pages of version 2. */
function reasonOf(error: unknown): string {
  if (!(error instanceof RangeError)) return messageOf(error);
  return `a page holds less than its header says (${error.message}); write the file anew, with data pages of version 1`;
}

async function loadCompressors(): Promise<Compressors> {
  const { compressors } = await import('hyparquet-compressors');
  const bounded = Object.entries(compressors as Compressors).map(([codec, unpack]) => [
    codec,
    (input: Uint8Array, length: number) => {
      // An empty LZ4 page is one byte, which the library reports as an error.
      if (length === 0) return new Uint8Array(0);
      if (length > PAGE_LIMIT)
        throw new Error(`a page of ${length} bytes is beyond the limit of ${PAGE_LIMIT}`);
      return unpack(input, length);
    },
  ]);
  return Object.fromEntries(bounded);
}
