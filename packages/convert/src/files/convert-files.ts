// A whole run: files, folders or standard input in; files, a folder or standard output out. Progress is reported as
// events, and the result is data: nothing here writes to a terminal.

import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { FormChoice } from '../forms/forms.js';
import { joinReports, type ReportData } from '../forms/report.js';
import type { ScoreSettings } from '../score/score-line.js';
import type { ParquetColumns, Settings, TrainingSettings } from './block.js';
import type { BlockThread, Sizes } from './block-thread.js';
import { ConvertError } from './convert-error.js';
import { convertTarget, isResumable } from './convert-target.js';
import { type Converters, createThreads } from './converters.js';
import { LINE_LIMIT } from './each-line.js';
import { discard, forget } from './file-sink.js';
import { guessForm } from './guess-form.js';
import type { Done, Outcome, PlacedBadRow } from './job.js';
import { shardBounds, totalSize } from './plan.js';
import { NOTHING_YET } from './sink.js';
import { findSources, type LogFiles, type Source } from './source.js';
import { isFolderName, type Target, type TargetOptions, toTargets } from './target.js';

export interface ConvertFilesOptions extends Sizes, TargetOptions {
  /** Files, folders, and `-` for standard input; an empty list means standard input. */
  inputs: readonly string[];
  /** Undefined: guessed from the first rows. */
  from: FormChoice | undefined;
  to: FormChoice;
  keep: readonly string[] | undefined;
  drop: readonly string[] | undefined;
  /** Whether names of tools that an API would refuse are written with underscores. */
  renameTools: boolean;
  /** Rows are scored, not converted: `from` and `to` have no effect. */
  score?: ScoreSettings | undefined;
  /** Whether the inputs are logs: archives, or documents that hold their rows in a member. */
  logs?: LogFiles | undefined;
  /** Whether keys that a table added to arguments and tools, with null, are removed. */
  dropNullArguments?: boolean;
  /** Masks, tokens, prefixes and samples of training data. */
  training?: TrainingSettings | undefined;
  /** How Parquet holds lists and objects. Default: as JSON text. */
  columns?: ParquetColumns | undefined;
  /** Whether to stop at the first row that cannot be converted. */
  strict: boolean;
  /** Converts each line as it comes, without waiting for more. */
  filter: boolean;
  /** With `filter`: the lines name parts of files, whose rows are converted. An empty line ends the rows of each. */
  parts?: boolean;
  resume: boolean;
  force: boolean;
  /** Standard input, standard output, and standard error for rows that are set aside. */
  streams: { input(): Readable; rows: Writable; bad: Writable };
  /** Stops the run: blocks in progress are finished, and the journal is written. */
  stop: AbortSignal;
  on(event: ConvertEvent): void;
}

export type ConvertEvent =
  /** Files that hold the bad rows of an earlier run are not converted. */
  | { type: 'passed-over'; files: number }
  | { type: 'form-guessed'; form: string; path: string }
  /** A resumed run found this output finished. */
  | { type: 'already-there'; output: string }
  /** Bytes of the input; 0 if unknown. */
  | { type: 'begin'; total: number }
  /** Bytes that an earlier run has converted. */
  | { type: 'skipped'; bytes: number }
  | ({ type: 'converted'; bytes: number } & Done);

export interface ConvertFilesResult {
  state: Outcome['state'];
  from: FormChoice;
  report: ReportData;
  /** Files that hold rows that were set aside. */
  bad: string[];
  /** Counts of this run, without those of the runs it continues. */
  bytes: number;
  rows: number;
  seconds: number;
  /** The first bad row of a strict run. */
  firstBad: PlacedBadRow | undefined;
  /** The errors of inputs of a folder that could not be read. */
  failed: string[];
  outputs: number;
  /** Whether the same options with `resume` continue the run. */
  resumable: boolean;
}

/** Opens the converters for an input of `size` bytes. */
export type OpenConverters = (size: number) => Converters | Promise<Converters>;

export function convertFiles(
  options: ConvertFilesOptions,
  early: readonly BlockThread[] = [],
): Promise<ConvertFilesResult> {
  return convertWith(options, (size) => createThreads(options, size, early));
}

/** Throws a ConvertError if it cannot begin or continue. */
export async function convertWith(
  options: ConvertFilesOptions,
  open: OpenConverters,
): Promise<ConvertFilesResult> {
  const folder = isFolderName(options.output) ? options.output : undefined;
  const { sources, passedOver } = await findSources(options.inputs, folder, options.logs);
  if (passedOver > 0) options.on({ type: 'passed-over', files: passedOver });
  const targets = toTargets(sources, options);
  const from = options.from ?? (await guessed(sources, options));
  const converters = await open(totalSize(sources));
  try {
    return await new Run(options, targets, from, converters).run();
  } finally {
    await converters.close();
  }
}

/** How many files with rows are tried: the first may be damaged. */
const LOOKS = 20;

/** The form of an input without rows: any will do. */
const NO_ROWS: FormChoice = { form: 'openai' };

async function guessed(sources: readonly Source[], { on }: ConvertFilesOptions): Promise<FormChoice> {
  if (sources.length === 0) throw new ConvertError('there is nothing to convert', 'input');
  const failed: ConvertError[] = [];
  for (const source of sources) {
    try {
      const from = await guessForm(source);
      if (from === undefined) continue;
      on({ type: 'form-guessed', form: from.form, path: source.path });
      return from;
    } catch (error) {
      if (!isInputError(error)) throw error;
      failed.push(error);
      if (failed.length === LOOKS) break;
    }
  }
  if (failed[0]) throw failed[0];
  return NO_ROWS;
}

function isInputError(error: unknown): error is ConvertError {
  return error instanceof ConvertError && error.code === 'input';
}

class Run {
  readonly #start = performance.now();
  readonly #positions: number[];
  #bytes = 0;
  #rows = 0;
  readonly #failed: string[] = [];

  constructor(
    readonly options: ConvertFilesOptions,
    readonly targets: readonly Target[],
    readonly from: FormChoice,
    readonly converters: Converters,
  ) {
    this.#positions = targets.map(() => 0);
  }

  async run(): Promise<ConvertFilesResult> {
    this.options.on({ type: 'begin', total: this.#total() });
    const outcomes = await this.#runTargets();
    const finished = outcomes.every(({ state }) => state === 'finished');
    // If some outputs are missing, a later --resume needs the journals to know which are done.
    if (finished && this.#failed.length === 0)
      for (const { output } of this.targets) if (output !== undefined) await forget(output);
    return this.#result(outcomes);
  }

  #total(): number {
    const total = totalSize(this.targets.flatMap(({ sources }) => sources));
    const { shard } = this.options;
    if (!shard) return total;
    const { from, to } = shardBounds(total, shard);
    return to - from;
  }

  /**
   * Converts large outputs one after the other, because each keeps all threads busy, and small ones several at once,
   * because a file of one block keeps only one busy. Gives the outcomes of those that were started.
   */
  async #runTargets(): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const running = new Set<Promise<void>>();
    let ended = false;
    for (const [index, target] of this.targets.entries()) {
      const isSmall = this.converters.isSmall(target.sources);
      while (running.size >= (isSmall ? this.converters.atOnce : 1)) await Promise.race(running);
      if (ended) break;
      const one = this.#runTarget(target, index).then((outcome) => {
        outcomes[index] = outcome;
        ended ||= outcome.state !== 'finished';
      });
      running.add(one);
      one.finally(() => running.delete(one)).catch(() => {});
      if (!isSmall) await one;
    }
    await Promise.all(running);
    return outcomes.filter((outcome) => outcome !== undefined);
  }

  /**
   * Converts one target. An input of a folder that cannot be read does not end the run: it is reported, and the others
   * are converted.
   */
  async #runTarget(target: Target, index: number): Promise<Outcome> {
    try {
      return await this.#convert(target, index);
    } catch (error) {
      const { output, bad } = target;
      const isLast = this.targets.length === 1 || output === undefined || bad === undefined;
      if (!isInputError(error) || isLast) throw error;
      await discard(output, bad);
      await this.converters.forget(output);
      this.#failed.push(error.message);
      return { standing: NOTHING_YET, state: 'finished' };
    }
  }

  #convert(target: Target, index: number): Promise<Outcome> {
    const { to, keep, drop, strict, on } = this.options;
    // Members that are undefined are left out of journals and of the jobs of workers.
    const settings: Settings = {
      from: this.from,
      to,
      keep,
      drop,
      renameTools: this.options.renameTools || undefined,
      score: this.options.score,
      dropNullArguments: this.options.dropNullArguments || undefined,
      training: this.options.training,
      columns: target.format === 'parquet' ? this.options.columns : undefined,
      compression: target.compression,
      lineLimit: LINE_LIMIT,
      strict,
    };
    return convertTarget(target, settings, this.options, this.converters, {
      onSkipped: (position) => on({ type: 'skipped', bytes: this.#advance(index, position) }),
      onBlock: (position, done) => {
        const bytes = this.#advance(index, position);
        this.#bytes += bytes;
        this.#rows += done.rows;
        on({ type: 'converted', bytes, ...done });
      },
    });
  }

  /** Gives how many bytes of the input this target has advanced. */
  #advance(index: number, position: number): number {
    const step = position - (this.#positions[index] ?? 0);
    this.#positions[index] = position;
    return step;
  }

  #result(outcomes: readonly Outcome[]): ConvertFilesResult {
    const strict = outcomes.find(({ state }) => state === 'strict');
    const isStopped = outcomes.some(({ state }) => state === 'stopped');
    const reports = outcomes.map(({ standing }) => standing.report);
    return {
      state: strict ? 'strict' : isStopped ? 'stopped' : 'finished',
      from: this.from,
      report: reports.reduce((all, one) => joinReports(all, one), NOTHING_YET.report),
      bad: this.targets.flatMap(({ bad }) => bad ?? []).filter((file) => existsSync(file)),
      bytes: this.#bytes,
      rows: this.#rows,
      seconds: (performance.now() - this.#start) / 1000,
      firstBad: strict?.first,
      failed: this.#failed,
      outputs: this.targets.length,
      resumable: this.targets.every(
        ({ output, sources }) => output !== undefined && sources.every(isResumable),
      ),
    };
  }
}
