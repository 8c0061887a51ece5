// Writes rows of JSON text as a Parquet file, one row group at a time, which bounds the memory.
//
// The rows of the first group decide the columns and their types for the whole file. Lists and objects are text columns
// of JSON, as in most published training sets, so no row is rejected for the content of its messages.

import { type FileHandle, open, rm } from 'node:fs/promises';
import { type ExactValue, exactEntries, parseExact } from '@dragoman/core/internal';
import type { ParquetWriter } from 'hyparquet-writer';
import { ConvertError, messageOf } from '../convert-error.js';
import {
  type Column,
  type ColumnType,
  columnSchema,
  columnValue,
  foundOf,
  HALF,
  jsonPathsEntry,
  Misfit,
  mergeTypes,
  TOKENS,
  typeOf,
} from './columns.js';

export interface WriteParquetOptions {
  /** The most rows of a group. Default: 5,000. */
  groupRows?: number;
  /**
   * Called with rows that do not fit. Without it the first of them is thrown as a ConvertError, and the file is
   * removed.
   */
  reject?(row: RejectedRow): void;
  /** The types of columns that are known, in `survey.ts`. Default: chosen from the rows of the first group. */
  types?: ReadonlyMap<string, Column>;
}

export interface RejectedRow {
  /** The number among all given lines, from 1. */
  line: number;
  /** The path of the value that does not fit; empty for the whole row. */
  path: string;
  reason: string;
  row: string;
}

/** How many characters of JSON text fill a group. */
const GROUP_CHARACTERS = 16 * 1024 * 1024;

interface Line {
  line: number;
  text: string;
  members: Map<string, ExactValue>;
}

export async function writeParquet(
  path: string,
  lines: Iterable<string> | AsyncIterable<string>,
  options: WriteParquetOptions = {},
): Promise<void> {
  const handle = await open(path, 'w').catch((error: unknown) => {
    throw new ConvertError(`cannot write ${path}: ${messageOf(error)}`, 'input');
  });
  try {
    const table = new Table(path, handle, options);
    await table.write(lines);
    await table.finish();
  } catch (error) {
    // Without its footer the file is unreadable.
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

class Table {
  #columns: Map<string, Column> | undefined;
  #writer: ParquetWriter | undefined;
  /** How many rows the types were chosen from. */
  #firstRows = 0;

  constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly options: WriteParquetOptions,
  ) {}

  async write(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const { groupRows = 5000 } = this.options;
    let group: Line[] = [];
    let characters = 0;
    let line = 0;
    for await (const text of lines) {
      const read = this.readLine(++line, text);
      if (!read) continue;
      group.push(read);
      characters += text.length;
      if (group.length < groupRows && characters < GROUP_CHARACTERS) continue;
      await this.writeGroup(group);
      group = [];
      characters = 0;
    }
    if (group.length > 0) await this.writeGroup(group);
  }

  async finish(): Promise<void> {
    this.#writer ??= await this.openWriter(new Map());
    await this.#writer.finish();
  }

  private readLine(line: number, text: string): Line | undefined {
    try {
      const value = parseExact(text);
      if (foundOf(value) !== 'an object') throw new Misfit('', 'an object', foundOf(value));
      return { line, text, members: new Map(exactEntries(value as { [key: string]: ExactValue })) };
    } catch (error) {
      this.refuse({ line, path: '', reason: messageOf(error), row: text });
      return undefined;
    }
  }

  private async writeGroup(group: readonly Line[]): Promise<void> {
    const columns = this.#columns ?? this.chooseColumns(group);
    const rows = group.map((line) => this.toRow(line, columns)).filter((row) => row !== undefined);
    if (rows.length === 0) return;
    this.#columns = columns;
    this.#writer ??= await this.openWriter(columns);
    const columnData = [...columns.keys()].map((name, n) => ({ name, data: rows.map((row) => row[n]) }));
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
  }

  private chooseColumns(group: readonly Line[]): Map<string, Column> {
    const { types = new Map<string, Column>() } = this.options;
    const columns = new Map<string, Column>();
    for (const { members } of group)
      for (const [name, value] of members) {
        const known = columns.get(name) ?? 'unknown';
        columns.set(name, types.get(name) ?? mergeTypes(known as ColumnType, typeOf(value)));
      }
    for (const [name, type] of types) if (type !== TOKENS) columns.set(name, type);
    if (columns.size === 0) {
      const found = `the first ${group.length} rows have no members`;
      throw new ConvertError(`cannot write ${this.path}: Parquet needs columns, and ${found}`, 'input');
    }
    // A column of doubles may hold an integer with more digits than a double has: then it becomes JSON.
    for (const [name, type] of columns)
      if (!types.has(name) && !holdsAll(group, name, type)) columns.set(name, 'json');
    this.#firstRows = group.length;
    return columns;
  }

  /** Gives the values in the order of the columns. */
  private toRow({ line, text, members }: Line, columns: ReadonlyMap<string, Column>): unknown[] | undefined {
    try {
      for (const name of members.keys())
        if (!columns.has(name)) throw new Misfit(name, `one of ${[...columns.keys()].join(', ')}`, name);
      return [...columns].map(([name, type]) => columnValue(members.get(name), type, name));
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      const since = `the columns are those of the first ${this.#firstRows} rows`;
      this.refuse({ line, path: error.column, reason: `${error.message}; ${since}`, row: text });
      return undefined;
    }
  }

  private refuse(row: RejectedRow): void {
    if (!this.options.reject) {
      throw new ConvertError(`cannot write ${this.path}: line ${row.line}: ${row.reason}`, 'input');
    }
    this.options.reject(row);
  }

  private async openWriter(columns: ReadonlyMap<string, Column>): Promise<ParquetWriter> {
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
    return new ParquetWriter({
      writer: this.toFile(new ByteWriter(1 << 20)),
      schema: [
        { name: 'root', num_children: columns.size },
        ...[...columns].flatMap(([name, type]) => columnSchema(name, type)),
      ],
      // Every reader knows it.
      codec: 'SNAPPY',
      // The writer compares text by UTF-16, Parquet by bytes: its bounds would be wrong beyond U+FFFF.
      statistics: false,
      kvMetadata: [jsonPathsEntry(columns)],
    });
  }

  /** Writes the bytes to the file after each group and at the end. */
  private toFile<T extends { buffer: ArrayBuffer; index: number }>(writer: T) {
    const flush = async () => {
      await this.handle.writeFile(new Uint8Array(writer.buffer, 0, writer.index));
      writer.index = 0;
    };
    return Object.assign(writer, { flush, finish: flush });
  }
}

/** Whether the column holds all values of the group, lone surrogates aside, which no text column holds. */
function holdsAll(group: readonly Line[], name: string, type: Column): boolean {
  return type === 'json' || group.every(({ members }) => holds(members.get(name), type, name));
}

function holds(value: ExactValue | undefined, type: Column, name: string): boolean {
  try {
    columnValue(value, type, name);
    return true;
  } catch (error) {
    if (error instanceof Misfit) return error.found === HALF;
    throw error;
  }
}
