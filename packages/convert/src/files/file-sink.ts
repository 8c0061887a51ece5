// Writes rows to a file that gets its name only when it is complete. Until then:
//
//   <output>.partial    converted rows (lines, also if Parquet is to be written)
//   <bad>.partial       rows that were set aside
//   <output>.journal    how many bytes of both are valid
//
// Data is on the disk before the journal mentions it. So a run that is killed at any moment can be resumed from the
// journal, with the same result as without the interruption.

import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Report } from '../forms/report.js';
import type { Compression, ParquetColumns } from './block.js';
import { compressedNothing } from './compression.js';
import { ConvertError } from './convert-error.js';
import { differsFrom, type Journal, readJournal, removeJournal, writeJournal } from './journal.js';
import { OutputFile } from './output-file.js';
import {
  type RejectedRow,
  type Survey,
  type SurveyNote,
  surveyColumns,
  tokenColumns,
  writeParquet,
} from './parquet/index.js';
import { linesOfFile } from './range-reader.js';
import { NOTHING_YET, type Sink, type Standing } from './sink.js';

export interface FileSinkOptions {
  output: string;
  bad: string;
  format: 'lines' | 'parquet';
  compression: Compression;
  /** Of Parquet: how lists and objects are written. */
  columns?: ParquetColumns | undefined;
  /** Of Parquet: the columns of tokens. */
  tokens?: boolean;
  resume: boolean;
  force: boolean;
  identity: Pick<Journal, 'options' | 'sources'>;
}

export type Opened = { sink: Sink; standing: Standing | undefined } | { finished: Journal | 'earlier' };

/** Throws a ConvertError if existing files are in the way, and names the option that helps. */
export async function openFileSink(options: FileSinkOptions): Promise<Opened> {
  const { output, bad, resume, force, identity } = options;
  const journal = force ? undefined : await readJournal(journalOf(output));
  const unfinished = !force && (journal !== undefined || existsSync(partialOf(output)));
  if (unfinished && !resume) {
    const message = `a run that was to write ${output} was interrupted`;
    throw new ConvertError(`${message}: --resume goes on with it, --force starts over`);
  }
  if (unfinished && !journal)
    throw new ConvertError(`${partialOf(output)} has no journal; --force starts over`);
  if (!unfinished && !force) {
    if (resume && existsSync(output)) return { finished: 'earlier' };
    for (const path of [output, bad]) {
      if (existsSync(path)) throw new ConvertError(`${path} exists; --force replaces it`);
    }
  }
  const reason = journal && differsFrom(journal, identity.options, identity.sources);
  if (reason) throw new ConvertError(`${output} cannot be resumed: ${reason}. --force starts over`);
  const sink = new FileSink(options, journal);
  if (journal?.done) {
    await sink.giveNames();
    return { finished: journal };
  }
  await mkdir(dirname(output), { recursive: true });
  await mkdir(dirname(bad), { recursive: true });
  await sink.open();
  return { sink, standing: journal };
}

/**
 * Removes the files of an output that cannot be finished: its input is damaged, and will have changed when it is
 * repaired.
 */
export async function discard(output: string, bad: string): Promise<void> {
  await removeJournal(journalOf(output));
  for (const path of [partialOf(output), partialOf(bad), tableOf(output)]) await rm(path, { force: true });
}

/** Removes the journal that tells a later `--resume` that this output of a folder is done. */
export function forget(output: string): Promise<void> {
  return removeJournal(journalOf(output));
}

function partialOf(path: string): string {
  return `${path}.partial`;
}

function journalOf(output: string): string {
  return `${output}.journal`;
}

class FileSink implements Sink {
  readonly #output: OutputFile;
  readonly #bad: OutputFile;

  constructor(
    readonly options: FileSinkOptions,
    readonly journal: Journal | undefined,
  ) {
    this.#output = new OutputFile(partialOf(options.output), journal?.output ?? 0);
    this.#bad = new OutputFile(partialOf(options.bad), journal?.bad ?? 0);
  }

  async open(): Promise<void> {
    const { output } = this.options;
    // The journal comes first: a partial file without one could not be resumed.
    if (!this.journal) {
      await removeJournal(journalOf(output));
      await rm(partialOf(output), { force: true });
      await this.#writeJournal(NOTHING_YET, false);
    }
    await this.#output.open();
    if (this.#bad.length > 0) await this.#bad.open();
    else await rm(this.#bad.path, { force: true });
  }

  async write(output: Uint8Array, bad: string): Promise<void> {
    await this.#output.write(output);
    if (bad !== '') await this.#bad.write(Buffer.from(bad));
  }

  async checkpoint(standing: Standing): Promise<void> {
    const lengths = this.#lengths();
    await this.#output.sync();
    await this.#bad.sync();
    await this.#writeJournal(standing, false, lengths);
  }

  async finish(standing: Standing): Promise<Standing> {
    const { format, compression, output } = this.options;
    if (this.#output.length === 0) await this.#output.write(compressedNothing(compression));
    await this.checkpoint(standing);
    const table =
      format === 'parquet'
        ? await createTable(this.#output.path, tableOf(output), this.options, this.#bad)
        : undefined;
    await this.#bad.sync();
    await this.close();
    const final = table ? withTable(standing, table) : standing;
    await this.#writeJournal(final, true);
    await this.giveNames();
    return final;
  }

  async close(): Promise<void> {
    await this.#output.close();
    await this.#bad.close();
  }

  /** Renames the files. Can be called again after a kill in between: files already renamed are skipped. */
  async giveNames(): Promise<void> {
    const { output, bad, format } = this.options;
    const whole = format === 'parquet' ? tableOf(output) : partialOf(output);
    // Bad rows of an earlier run do not belong to this output.
    if (this.#bad.length === 0) await rm(bad, { force: true });
    else if (existsSync(partialOf(bad))) await rename(partialOf(bad), bad);
    if (existsSync(whole)) await rename(whole, output);
    await rm(partialOf(output), { force: true });
    await syncFolder(dirname(output));
  }

  #lengths(): Pick<Journal, 'output' | 'bad'> {
    return { output: this.#output.length, bad: this.#bad.length };
  }

  #writeJournal(standing: Standing, done: boolean, lengths = this.#lengths()): Promise<void> {
    const { options, sources } = this.options.identity;
    const { blocks, source, lines, report } = standing;
    const state = { done, blocks, ...lengths, source, lines, report };
    return writeJournal(journalOf(this.options.output), { version: 1, options, sources, ...state });
  }
}

/** The temporary name of a Parquet file, which is written when all lines are there. */
function tableOf(output: string): string {
  return `${output}.table.partial`;
}

/** Makes the new names survive a power loss, where the system supports it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

interface Table {
  /** How many rows did not fit and were set aside. */
  refused: number;
  /** What the columns change, or could not hold. */
  notes: readonly SurveyNote[];
}

/** Writes the lines of a finished conversion as a Parquet file. */
async function createTable(
  lines: string,
  table: string,
  { output, columns, tokens }: FileSinkOptions,
  bad: OutputFile,
): Promise<Table> {
  let refused = 0;
  const rejected: RejectedRow[] = [];
  const setAside = async () => {
    refused += rejected.length;
    const texts = rejected.splice(0).map((row) => rejectedLine(row, output));
    await bad.write(Buffer.from(texts.join('')));
  };
  const rows = async function* () {
    for (const block of linesOfFile(lines)) {
      yield* block;
      if (rejected.length > 0) await setAside();
    }
  };
  const { types: known, notes }: Survey = columns
    ? surveyColumns(linesOfFile(lines), columns)
    : { types: new Map(), notes: [] };
  const types = tokens ? new Map([...known, ...tokenColumns]) : known;
  await writeParquet(table, rows(), { types, reject: (row) => rejected.push(row) });
  await setAside();
  await syncFile(table);
  return { refused, notes };
}

/** Writes a rejected row. Its line in the input is no longer known; its number among the converted rows is. */
function rejectedLine({ line, path, reason, row }: RejectedRow, file: string): string {
  return `${JSON.stringify({ line: null, file, reason: `row ${line} of the output: ${reason}`, path, row })}\n`;
}

/** Moves rows that did not fit into the table from the converted to the bad ones, and adds the notes on columns. */
function withTable(standing: Standing, { refused, notes }: Table): Standing {
  const report = new Report();
  report.merge(standing.report);
  report.rows -= refused;
  report.badRows += refused;
  for (const note of notes) report.addNote(note);
  return { ...standing, report: report.toJSON() };
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.datasync();
  await handle.close();
}
