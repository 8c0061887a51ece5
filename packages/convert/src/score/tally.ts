// Counts of a scoring: by dialect and by error, with a few examples. Counts of parts can be merged in any grouping, as
// the reports of conversions are, so that threads and machines can each make theirs.

import type { ScoreCheck } from './check-calls.js';
import type { Judged, Verdict } from './judge-output.js';

export interface VerdictCounts {
  outputs: number;
  right: number;
  /** Of the right ones, those that needed a repair: a strict parser reads them wrongly. */
  repaired: number;
  model: number;
  parser: number;
  unscored: number;
}

export interface ScoreExample {
  /** Its number in the input, from 1. */
  row: number;
  id?: string;
  verdict: Exclude<Verdict, 'right'>;
  /** The check; of an unscored row the reason. */
  check: string;
  message: string;
  dialect?: string;
  /** Its beginning. */
  text: string;
}

type Counts = { [name: string]: number };

export interface ScoreData extends VerdictCounts {
  /** By dialect. Outputs without a call that any dialect recognises count as `-`. */
  dialects: { [name: string]: VerdictCounts };
  /** How many outputs have an error of this check, by who erred. */
  errors: { model: { [check in ScoreCheck]?: number }; parser: { [check in ScoreCheck]?: number } };
  /** Parser errors by who read wrongly. */
  by: { engine: number; dragoman: number };
  /** In which dialect outputs are right that were read in another. */
  readsAs: Counts;
  /** Of the outputs with an engine's reading, those that it read right. */
  reader: { right: number; of: number };
  /** By reason. */
  reasons: Counts;
  examples: ScoreExample[];
}

/** An output with what an example shows of it. */
export interface ScoredOutput {
  judged: Judged;
  id?: string | undefined;
  text: string;
}

/** Of each verdict and check. */
const EXAMPLES = 3;
const EXAMPLE_TEXT = 1000;

const noCounts = (): VerdictCounts => ({
  outputs: 0,
  right: 0,
  repaired: 0,
  model: 0,
  parser: 0,
  unscored: 0,
});

export class ScoreTally {
  readonly #data: ScoreData = {
    ...noCounts(),
    dialects: {},
    errors: { model: {}, parser: {} },
    by: { engine: 0, dragoman: 0 },
    readsAs: {},
    reader: { right: 0, of: 0 },
    reasons: {},
    examples: [],
  };
  readonly #examples = new Map<string, ScoreExample[]>();

  add({ judged, id, text }: ScoredOutput, row: number): void {
    const data = this.#data;
    const { verdict, repairs, errors } = judged;
    const one: VerdictCounts = { ...noCounts(), outputs: 1, [verdict]: 1 };
    if (verdict === 'right' && repairs.length > 0) one.repaired = 1;
    addCounts(data, one);
    this.#addDialect(judged.dialect ?? '-', one);
    if (judged.readerRight !== undefined) {
      data.reader.of++;
      if (judged.readerRight) data.reader.right++;
    }
    if (judged.by) data.by[judged.by]++;
    if (judged.readsAs) increase(data.readsAs, readsAsName(judged.readsAs), 1);
    if (verdict === 'right') return;
    const example = { row, ...(id !== undefined && { id }), verdict, text: beginning(text) };
    if (verdict === 'unscored') {
      const check = judged.reason ?? '';
      increase(data.reasons, check, 1);
      this.#keep({ ...example, verdict, check, message: '' });
      return;
    }
    const seen = new Set<ScoreCheck>();
    for (const { check, message } of errors) {
      if (seen.has(check)) continue;
      seen.add(check);
      increase(data.errors[verdict] as Counts, check, 1);
      const dialect = judged.dialect !== undefined && { dialect: judged.dialect };
      this.#keep({ ...example, verdict, check, message, ...dialect });
    }
  }

  /** Adds counts whose rows come after `before` others. */
  merge(other: ScoreData, before = 0): void {
    const data = this.#data;
    addCounts(data, other);
    for (const [name, counts] of Object.entries(other.dialects)) this.#addDialect(name, counts);
    for (const who of ['model', 'parser'] as const)
      for (const [check, count] of Object.entries(other.errors[who]))
        increase(data.errors[who] as Counts, check, count);
    data.by.engine += other.by.engine;
    data.by.dragoman += other.by.dragoman;
    data.reader.right += other.reader.right;
    data.reader.of += other.reader.of;
    for (const [name, count] of Object.entries(other.readsAs)) increase(data.readsAs, name, count);
    for (const [name, count] of Object.entries(other.reasons)) increase(data.reasons, name, count);
    for (const example of other.examples) this.#keep({ ...example, row: example.row + before });
  }

  /** Sorts everything, so that equal counts are equal text. */
  toJSON(): ScoreData {
    const { dialects, errors, readsAs, reasons, ...rest } = this.#data;
    return {
      ...rest,
      dialects: sorted(dialects),
      errors: { model: sorted(errors.model), parser: sorted(errors.parser) },
      by: { ...rest.by },
      reader: { ...rest.reader },
      readsAs: sorted(readsAs),
      reasons: sorted(reasons),
      examples: [...this.#examples.values()].flat().sort(byRow),
    };
  }

  #addDialect(name: string, counts: VerdictCounts): void {
    const known = this.#data.dialects;
    known[name] ??= noCounts();
    addCounts(known[name], counts);
  }

  /** Keeps the earliest rows, so that the result of merging does not depend on the order. */
  #keep(example: ScoreExample): void {
    const key = `${example.verdict}:${example.check}`;
    const kept = this.#examples.get(key) ?? [];
    kept.push(example);
    this.#examples.set(key, kept.sort(byRow).slice(0, EXAMPLES));
  }
}

function readsAsName({ dialect, thinking }: NonNullable<Judged['readsAs']>): string {
  return thinking ? `${dialect}, thinking` : dialect;
}

function addCounts(to: VerdictCounts, from: VerdictCounts): void {
  for (const key of ['outputs', 'right', 'repaired', 'model', 'parser', 'unscored'] as const)
    to[key] += from[key];
}

function increase(counts: Counts, key: string, by: number): void {
  counts[key] = (counts[key] ?? 0) + by;
}

function beginning(text: string): string {
  return text.length > EXAMPLE_TEXT ? `${text.slice(0, EXAMPLE_TEXT).toWellFormed()}…` : text;
}

function byRow(one: ScoreExample, other: ScoreExample): number {
  if (one.row !== other.row) return one.row - other.row;
  const a = JSON.stringify(one);
  const b = JSON.stringify(other);
  return a < b ? -1 : a > b ? 1 : 0;
}

function sorted<T extends object>(counts: T): T {
  return Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1))) as T;
}
