// The lines of a finished conversion as a Parquet file. Rows that do not fit its columns are set aside.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { LineSplitter } from '../json-lines.js';
import type { OutputFile } from './output-file.js';
import { type RejectedRow, writeParquet } from './parquet/index.js';

/** Gives the number of rows that were set aside. */
export async function createTable(
  lines: string,
  table: string,
  output: string,
  bad: OutputFile,
): Promise<number> {
  let refused = 0;
  const rejected: RejectedRow[] = [];
  const setAside = async () => {
    refused += rejected.length;
    const texts = rejected.splice(0).map((row) => badLine(row, output));
    await bad.write(Buffer.from(texts.join('')));
  };
  const rows = async function* () {
    // Not readline: it takes U+2028 in a string for the end of a line.
    const splitter = new LineSplitter(Number.POSITIVE_INFINITY);
    for await (const piece of createReadStream(lines)) {
      for (const line of splitter.push(piece)) yield line.toString();
      if (rejected.length > 0) await setAside();
    }
  };
  await writeParquet(table, rows(), { reject: (row) => rejected.push(row) });
  await setAside();
  await syncFile(table);
  return refused;
}

/** Its place in the input is known no more; its place among the rows that were converted is. */
function badLine({ line, path, reason, row }: RejectedRow, file: string): string {
  return `${JSON.stringify({ line: null, file, reason: `row ${line} of the output: ${reason}`, path, row })}\n`;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.datasync();
  await handle.close();
}
