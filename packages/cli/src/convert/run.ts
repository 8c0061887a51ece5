// A whole run of `dragoman convert`: sources, targets, threads, progress, report, exit code.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { ReportData } from '@dragoman/convert';
import { CommandError, messageOf } from '../command-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Address } from '../queue/address.js';
import { removePieces } from '../queue/pieces.js';
import type { ShardQueue } from '../queue/shard-queue.js';
import { note } from '../terminal.js';
import type { FormName, Settings } from './block.js';
import type { BlockThread } from './block-thread.js';
import { discard, forget } from './file-sink.js';
import { guessForm } from './guess-form.js';
import type { Done, Outcome, PlacedBadRow } from './job.js';
import { LINE_LIMIT } from './line-limit.js';
import type { RunOptions } from './options.js';
import { totalSize } from './plan.js';
import { createPools, type Pools } from './pools.js';
import { createProgress, type Progress } from './progress.js';
import { reportText } from './report-text.js';
import { mergedReports } from './reports.js';
import { isResumable, runTarget } from './run-target.js';
import { shardBounds } from './shard.js';
import { runSideBySide } from './side-by-side.js';
import { NOTHING_YET } from './sink.js';
import { findSources, type Source } from './source.js';
import { stopOnSignal } from './stop-on-signal.js';
import { isFolderName, type Target, toTargets } from './target.js';

/** `early`: threads that run already. */
export async function runConvert(options: RunOptions, early: readonly BlockThread[] = []): Promise<ExitCode> {
  const folder = isFolderName(options.output) ? options.output : undefined;
  const { sources, passedOver } = await findSources(options.inputs, folder);
  if (passedOver > 0) note(`passed over ${passedOver} files of rows that were set aside (*.bad.jsonl)`);
  const targets = toTargets(sources, options);
  const from = options.from ?? (await guessed(sources));
  const queue = options.queue && (await openQueue(options.queue));
  const stop = stopOnSignal();
  const pools = createPools(options, totalSize(sources), early);
  try {
    return await new Run(options, targets, from, pools, queue, stop.signal).run();
  } finally {
    stop.end();
    await pools.close();
    await queue?.close();
  }
}

/** Loaded only where it is asked for. */
async function openQueue(address: Address): Promise<ShardQueue> {
  const { ShardQueue } = await import('../queue/shard-queue.js');
  return ShardQueue.open(address);
}

/** How many files are looked at: the first may be empty or damaged. */
const LOOKS = 20;

async function guessed(sources: readonly Source[]): Promise<FormName> {
  if (sources.length === 0) throw new CommandError('there is nothing to convert', EXIT.input);
  let failed: unknown;
  for (const source of sources.slice(0, LOOKS)) {
    try {
      const from = await guessForm(source);
      note(`rows are read as ${from.form}, as the first rows of ${source.path} look; --from says it`);
      return from;
    } catch (error) {
      if (!(error instanceof CommandError) || error.exitCode !== EXIT.input) throw error;
      failed ??= error;
    }
  }
  throw failed;
}

/** Outputs of a folder that workers make side by side: they should not have to wait for the next. */
const AT_ONCE = 16;

class Run {
  readonly #start = performance.now();
  readonly #positions: number[];
  #progress: Progress | undefined;
  #bytes = 0;
  #rows = 0;
  /** What is wrong with the inputs that could not be read. */
  readonly #failed: string[] = [];

  constructor(
    readonly options: RunOptions,
    readonly targets: readonly Target[],
    readonly from: FormName,
    readonly pools: Pools,
    readonly queue: ShardQueue | undefined,
    readonly stop: AbortSignal,
  ) {
    this.#positions = targets.map(() => 0);
  }

  async run(): Promise<ExitCode> {
    const { quiet, filter, blockSize } = this.options;
    const ask = process.stderr.isTTY === true && !quiet && !filter;
    if (ask) this.#progress = createProgress(process.stderr, this.#total());
    const outcomes = await runSideBySide(this.targets, {
      size: this.queue ? AT_ONCE : this.options.jobs,
      isSmall: ({ sources }) => this.queue !== undefined || totalSize(sources) <= blockSize,
      run: (target, index) => this.#runTarget(target, index),
      goesOn: (outcome) => outcome.state === 'finished',
    }).finally(() => this.#progress?.end());
    return this.#end(outcomes);
  }

  #total(): number {
    const total = totalSize(this.targets.flatMap(({ sources }) => sources));
    const { shard } = this.options;
    if (!shard) return total;
    const { from, to } = shardBounds(total, shard);
    return to - from;
  }

  /** One input of a folder that cannot be read does not end the run: the others are converted, and it is told. */
  async #runTarget(target: Target, index: number): Promise<Outcome> {
    try {
      return await this.#convert(target, index);
    } catch (error) {
      const isInput = error instanceof CommandError && error.exitCode === EXIT.input;
      const { output, bad } = target;
      if (!isInput || this.targets.length === 1 || output === undefined || bad === undefined) throw error;
      await discard(output, bad);
      if (this.queue) await removePieces(output);
      this.#failed.push(error.message);
      return { standing: NOTHING_YET, state: 'finished' };
    }
  }

  #convert(target: Target, index: number): Promise<Outcome> {
    const settings: Settings = {
      from: this.from,
      to: this.options.to,
      ...(this.options.keep && { keep: this.options.keep }),
      ...(this.options.drop && { drop: this.options.drop }),
      ...(this.options.renameTools && { renameTools: true }),
      compression: target.compression,
      lineLimit: LINE_LIMIT,
      strict: this.options.strict,
    };
    return runTarget(target, settings, this.options, {
      pools: this.pools,
      queue: this.queue,
      stop: this.stop,
      onSkipped: (position) => this.#skip(index, position),
      onBlock: (position, done) => this.#count(index, position, done),
    });
  }

  /** By how many bytes of the input this target came further. */
  #advance(index: number, position: number): number {
    const step = position - (this.#positions[index] ?? 0);
    this.#positions[index] = position;
    return step;
  }

  #skip(index: number, position: number): void {
    const step = this.#advance(index, position);
    this.#progress?.skip(step);
  }

  #count(index: number, position: number, done: Done): void {
    const step = this.#advance(index, position);
    this.#bytes += step;
    this.#rows += done.rows;
    this.#progress?.count(step, done);
  }

  async #end(outcomes: readonly Outcome[]): Promise<ExitCode> {
    const strict = outcomes.find(({ state }) => state === 'strict');
    if (strict?.first) throw this.#strictError(strict.first);
    if (outcomes.some(({ state }) => state === 'stopped')) return this.#stopped();
    const report = mergedReports(...outcomes.map(({ standing }) => standing.report));
    // Where some are missing, a later --resume has to know which are there.
    if (this.#failed.length === 0)
      for (const { output } of this.targets) if (output !== undefined) await forget(output);
    await this.#tell(report);
    if (this.#failed.length > 0) throw this.#failedError();
    return report.badRows > 0 ? EXIT.partial : EXIT.done;
  }

  #strictError({ file, line, path, reason }: PlacedBadRow): CommandError {
    const place = `${file === '-' ? 'standard input' : file}, line ${line}${path === '' ? '' : `, ${path}`}`;
    const next = this.#resumable() ? ' --resume without --strict goes on and sets such rows aside.' : '';
    return new CommandError(`${place}: ${reason}.${next}`, EXIT.input);
  }

  #failedError(): CommandError {
    const list = this.#failed.map((message) => `\n  ${message}`).join('');
    const count = `${this.#failed.length} of ${this.targets.length} files`;
    const how = 'Mend them, or move them away; then the same command with --resume converts what is missing.';
    return new CommandError(`${count} could not be converted, the others are:${list}\n${how}`, EXIT.input);
  }

  #stopped(): ExitCode {
    // An end that was asked for, so no error; but how to go on is no mere note.
    const how = this.#resumable() ? 'the same command with --resume goes on' : 'it cannot be resumed';
    process.stderr.write(`dragoman: stopped; ${how}\n`);
    return EXIT.stopped;
  }

  #resumable(): boolean {
    return this.targets.every(({ output, sources }) => output !== undefined && sources.every(isResumable));
  }

  async #tell(report: ReportData): Promise<void> {
    const { options } = this;
    const bad = this.targets.flatMap((target) => target.bad ?? []).filter((file) => existsSync(file));
    const data = `${JSON.stringify({ from: nameOf(this.from), to: nameOf(options.to), ...report, bad }, null, 2)}\n`;
    if (options.report !== undefined) await writeReport(options.report, data);
    const rowsOnOutput = this.targets.some(({ output }) => output === undefined);
    if (options.json) (rowsOnOutput ? process.stderr : process.stdout).write(data);
    if (options.json || options.filter) return;
    const seconds = (performance.now() - this.#start) / 1000;
    note(reportText({ report, bytes: this.#bytes, rows: this.#rows, seconds, bad, to: nameOf(options.to) }));
  }
}

function nameOf({ form, dialect }: FormName): string {
  return dialect === undefined ? form : `${form}:${dialect}`;
}

async function writeReport(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new CommandError(`cannot write ${path}: ${messageOf(error)}`);
  }
}
