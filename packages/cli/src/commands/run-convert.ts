// A run of `dragoman convert`: notes and progress on standard error, the report, the exit code.

import {
  isOutputIssue,
  meaningOfCode,
  type NoteCode,
  type NoteCount,
  type ReportData,
} from '@dragoman/convert';
import {
  type BlockThread,
  type ConvertEvent,
  type ConvertFilesOptions,
  type ConvertFilesResult,
  convertFiles,
} from '@dragoman/convert/files';
import { convertFilesByQueue } from '@dragoman/convert/queue';
import type { IssueCode, RepairCode } from '@dragoman/core';
import { meaningOfIssue, meaningOfRepair } from '@dragoman/core/internal';
import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { closeInput, openInput } from '../input.js';
import { checkLastFile, writeLastFile } from '../last-file.js';
import { checkOwnFiles } from '../own-files.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { note } from '../terminal.js';
import { indent, wrapWords } from '../visible-text.js';
import { type ReadOptions, readConvertOptions } from './convert-options.js';
import { createProgress, type Progress } from './convert-progress.js';
import { noteQueueEvent } from './queue-notes.js';
import { count, duration, firstPlace, many, megabytes } from './report-words.js';

/** `early`: threads that run already. */
export async function runConvert(args: Arguments, early: readonly BlockThread[]): Promise<ExitCode> {
  const read = readConvertOptions(args);
  const stop = stopOnSignal();
  const listener = createListener(!args.has('quiet') && !read.filter);
  const options: ConvertFilesOptions = {
    ...read,
    streams: { input: () => openInput(undefined), rows: process.stdout, bad: process.stderr },
    stop: stop.signal,
    on: listener.on,
  };
  try {
    checkOwnFiles(args);
    await checkLastFile('report', args.value('report'), args.value('output'));
    const result = await convert(read.queue, options, early).finally(() => listener.end());
    return await tell(args, read, result);
  } finally {
    stop.end();
    closeInput();
  }
}

function convert(
  queue: ReadOptions['queue'],
  options: ConvertFilesOptions,
  early: readonly BlockThread[],
): Promise<ConvertFilesResult> {
  return queue
    ? convertFilesByQueue(options, { ...queue, on: noteQueueEvent })
    : convertFiles(options, early);
}

/** Notes what happens, and draws a line of progress on a terminal. */
export function createListener(shows: boolean): { on(event: ConvertEvent): void; end(): void } {
  let progress: Progress | undefined;
  return {
    on(event) {
      if (event.type === 'begin') {
        if (shows && process.stderr.isTTY === true) progress = createProgress(process.stderr, event.total);
      } else if (event.type === 'skipped') progress?.skip(event.bytes);
      else if (event.type === 'converted') progress?.count(event.bytes, event);
      else note(noteText(event));
    },
    end: () => progress?.end(),
  };
}

type NotedEvent = Extract<ConvertEvent, { type: 'passed-over' | 'form-guessed' | 'already-there' }>;

function noteText(event: NotedEvent): string {
  if (event.type === 'passed-over')
    return `passed over ${event.files} files of rows that were set aside (*.bad.jsonl)`;
  if (event.type === 'form-guessed')
    return `rows are read as ${event.form}, as the first rows of ${event.path} look; --from says it`;
  return `${event.output} is there already; nothing to resume (--force converts it again)`;
}

async function tell(args: Arguments, options: ReadOptions, result: ConvertFilesResult): Promise<ExitCode> {
  if (result.firstBad) throw strictError(result.firstBad, result.resumable);
  if (result.state === 'stopped') return stopped(result.resumable);
  const isWritten = await report(args, options, result);
  if (result.failed.length > 0) throw failedError(result);
  if (!isWritten) return EXIT.usage;
  return result.report.badRows > 0 ? EXIT.partial : EXIT.done;
}

export function strictError(
  first: NonNullable<ConvertFilesResult['firstBad']>,
  resumable: boolean,
): CommandError {
  const { file, line, path, reason } = first;
  const place = `${file === '-' ? 'standard input' : file}, line ${line}${path === '' ? '' : `, ${path}`}`;
  const next = resumable ? ' --resume without --strict goes on and sets such rows aside.' : '';
  return new CommandError(`${place}: ${reason}.${next}`, EXIT.input);
}

export function failedError({ failed, outputs }: ConvertFilesResult): CommandError {
  const list = failed.map((message) => `\n  ${message}`).join('');
  const how = 'Mend them, or move them away; then the same command with --resume converts what is missing.';
  const count = `${failed.length} of ${outputs} files`;
  return new CommandError(`${count} could not be converted, the others are:${list}\n${how}`, EXIT.input);
}

/** An end that was asked for is no error; but how to go on is no mere note. */
export function stopped(resumable: boolean): ExitCode {
  const how = resumable ? 'the same command with --resume goes on' : 'it cannot be resumed';
  process.stderr.write(`dragoman: stopped; ${how}\n`);
  return EXIT.stopped;
}

/** Gives whether the report is in the file that was asked for; where it is not, it is on standard error. */
async function report(args: Arguments, options: ReadOptions, result: ConvertFilesResult): Promise<boolean> {
  const from = args.value('from') ?? result.from.form;
  const to = args.value('to') ?? '';
  const data = `${JSON.stringify({ from, to, ...result.report, bad: result.bad }, null, 2)}\n`;
  const file = args.value('report');
  const isWritten = file === undefined || (await writeLastFile('report', file, data));
  const text = reportText({ ...result, to });
  const rowsOnOutput = options.output === undefined || options.output === '-';
  if (args.has('json')) (rowsOnOutput ? process.stderr : process.stdout).write(data);
  else if (!isWritten) process.stderr.write(`${text}\n`);
  else if (!options.filter) note(text);
  return isWritten;
}

interface Summary {
  report: ReportData;
  /** Counts of this run, without those of the runs it continues. */
  bytes: number;
  rows: number;
  seconds: number;
  /** Files that hold rows that were set aside. */
  bad: readonly string[];
  to: string;
}

export function reportText({ report, bytes, rows, seconds, bad, to }: Summary): string {
  const aside = report.badRows > 0 ? `, ${many(report.badRows, 'row')} set aside` : '';
  const speed = seconds > 0 ? `: ${megabytes(bytes / seconds)} MB/s, ${count(rows / seconds)} rows/s` : '';
  return [
    `${many(report.rows, 'row')} converted, ${many(report.calls, 'call')}${aside}`,
    `  ${megabytes(bytes)} MB in ${duration(seconds)}${speed}`,
    ...bad.map((file) => `  set aside in ${file}`),
    ...notes('read generously (repairs)', 'repair', report.repairs),
    ...notes('wrong in the source (issues)', 'issue', issuesOf(report, false)),
    ...notes('in the rows that were written (issues)', 'issue', issuesOf(report, true)),
    ...notes(`what ${to} cannot say (losses)`, 'loss', report.losses),
  ].join('\n');
}

function issuesOf({ issues }: ReportData, ofOutput: boolean): ReportData['issues'] {
  return Object.fromEntries(Object.entries(issues).filter(([code]) => isOutputIssue(code) === ofOutput));
}

function notes(title: string, kind: NoteCode['kind'], found: { [code: string]: NoteCount }): string[] {
  const lines = Object.entries(found).flatMap(([code, { count: number, example }]) => {
    const meaning = wrapWords(meaningOf(kind, code), 72).map((line) => indent(line, 6));
    return [`    ${code}  ${count(number)}  ${firstPlace(example)}`, ...meaning];
  });
  return lines.length > 0 ? [`  ${title}`, ...lines] : [];
}

function meaningOf(kind: NoteCode['kind'], code: string): string {
  const own = meaningOfCode(kind, code);
  if (own !== undefined) return own;
  const parsers =
    kind === 'repair' ? meaningOfRepair(code as RepairCode) : meaningOfIssue({ code: code as IssueCode });
  return parsers ?? '';
}
