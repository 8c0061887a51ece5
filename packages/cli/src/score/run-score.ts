// A run of `dragoman score`: options in, verdicts and reports out.

import { Writable } from 'node:stream';
import type { ReportData, ScoreData } from '@dragoman/convert';
import {
  type BlockThread,
  type ConvertFilesResult,
  type ScoreFilesOptions,
  scoreFiles,
} from '@dragoman/convert/files';
import { type QueueOptions, scoreFilesByQueue } from '@dragoman/convert/queue';
import { isDialectFile, readDeclaration } from '@dragoman/gateway/dialect-file';
import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { PARTS, readQueue, readShard } from '../commands/convert-options.js';
import { readSizes } from '../commands/convert-sizes.js';
import { noteQueueEvent } from '../commands/queue-notes.js';
import { createListener, failedError, stopped, strictError } from '../commands/run-convert.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { dialectNamed } from '../find-dialect.js';
import { closeInput, openInput } from '../input.js';
import { checkLastFile, writeLastFile } from '../last-file.js';
import { checkOwnFiles } from '../own-files.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { columns, note, writeLine } from '../terminal.js';
import { FAIL_ON, LAYOUTS } from './score-choices.js';
import { scorePage } from './score-page.js';
import { showScore } from './score-view.js';

/** `early`: threads that run already. */
export async function runScore(args: Arguments, early: readonly BlockThread[]): Promise<ExitCode> {
  const queue = readQueue(args);
  const stop = stopOnSignal();
  const filter = args.has('jsonl');
  const listener = createListener(!args.has('quiet') && !filter);
  try {
    const options = { ...readScoreOptions(args), stop: stop.signal, on: listener.on };
    checkOwnFiles(args);
    await checkLastFile('html', args.value('html'), args.value('output'));
    const result = await score(options, early, queue).finally(() => listener.end());
    return await tell(args, result);
  } finally {
    stop.end();
    closeInput();
  }
}

function score(
  options: ScoreFilesOptions,
  early: readonly BlockThread[],
  queue: Omit<QueueOptions, 'on'> | undefined,
): Promise<ConvertFilesResult> {
  return queue ? scoreFilesByQueue(options, { ...queue, on: noteQueueEvent }) : scoreFiles(options, early);
}

// --- options ---------------------------------------------------------------------------------------------------

function readScoreOptions(args: Arguments): Omit<ScoreFilesOptions, 'stop' | 'on'> {
  args.oneOf('resume', 'force');
  for (const other of ['jobs', 'shard', 'jsonl']) args.oneOf('queue', other);
  args.oneOf('jsonl', 'json');
  args.oneOf('jsonl', 'output');
  const { words: inputs } = args;
  const output = args.value('output');
  const filter = args.has('jsonl');
  if (filter && inputs.some((input) => input !== '-'))
    throw new CommandError(`--jsonl reads standard input only, found ${inputs.join(', ')}`);
  if (args.has('parts') && !filter) throw new CommandError(PARTS);
  if (args.has('resume') && output === undefined)
    throw new CommandError('--resume needs --output: without it there is nothing to go on from');
  if (args.has('queue') && output === undefined)
    throw new CommandError('--queue needs --output, in a folder that all workers see');
  args.word('fail-on', FAIL_ON);
  return {
    inputs,
    output,
    bad: args.value('bad'),
    as: undefined,
    strict: args.has('strict'),
    filter,
    parts: args.has('parts'),
    shard: args.has('shard') ? readShard(args.value('shard') as string) : undefined,
    ...readSizes(args),
    resume: args.has('resume'),
    force: args.has('force'),
    streams: {
      input: () => openInput(undefined),
      rows: filter || output === '-' ? process.stdout : nowhere(),
      bad: process.stderr,
    },
    joins: args.values('join'),
    score: {
      layout: args.word('layout', LAYOUTS) ?? 'plain',
      dialect: dialectOf(args.value('dialect')),
      thinking: args.has('thinking') || undefined,
      paths: {
        text: args.value('text'),
        tools: args.value('tools'),
        expect: args.value('expect'),
        reader: args.value('reader'),
      },
    },
  };
}

/** Gives a name that there is, or the declaration in a file: threads need not see the file. */
function dialectOf(name: string | undefined): ScoreFilesOptions['score']['dialect'] {
  if (name === undefined || name === 'auto') return name;
  const { name: known } = dialectNamed(name);
  return isDialectFile(name) ? readDeclaration(name) : known;
}

function nowhere(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() });
}

// --- what is told ----------------------------------------------------------------------------------------------

async function tell(args: Arguments, result: ConvertFilesResult): Promise<ExitCode> {
  if (result.firstBad) throw strictError(result.firstBad, result.resumable);
  if (result.state === 'stopped') return stopped(result.resumable);
  const { report, bad } = result;
  const rowsOnOutput = args.has('jsonl') || args.value('output') === '-';
  const { score: scored, rows, badRows, issues } = report;
  if (args.has('json')) {
    const layout = args.value('layout') ?? 'plain';
    const text = JSON.stringify({ layout, rows, badRows, ...scored, issues, bad }, null, 2);
    if (rowsOnOutput) process.stderr.write(`${text}\n`);
    else await writeLine(text);
  } else if (args.value('output') === '-') note(showScore(report, columns()));
  else if (!args.has('jsonl')) await writeLine(showScore(report, columns()));
  const isWritten = await writePage(args.value('html'), report, args.words);
  if (result.failed.length > 0) throw failedError(result);
  if (!isWritten) return EXIT.usage;
  return exitCode(report, args.word('fail-on', FAIL_ON) ?? 'any');
}

async function writePage(
  path: string | undefined,
  report: ReportData,
  inputs: readonly string[],
): Promise<boolean> {
  if (path === undefined) return true;
  const isWritten = await writeLastFile('html', path, scorePage(report, inputs));
  if (isWritten) note(`Wrote ${path}.`);
  return isWritten;
}

function exitCode({ score: scored, badRows }: ReportData, failOn: (typeof FAIL_ON)[number]): ExitCode {
  if (badRows > 0) return EXIT.partial;
  return failures(scored, failOn) > 0 ? EXIT.partial : EXIT.done;
}

function failures(scored: ScoreData | undefined, failOn: (typeof FAIL_ON)[number]): number {
  if (failOn === 'never' || !scored) return 0;
  return failOn === 'parser' ? scored.parser : scored.parser + scored.model;
}
