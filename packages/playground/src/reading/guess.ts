// Guesses the dialect of a text by the ranking of core, and gives the reason in the words of `dragoman explain`.

import type { Dialect } from '@dragoman/core';
import {
  type ChoiceAdvice,
  describeReading,
  judge,
  type RankedReading,
  type Ranking,
  type ReadingVerdict,
  rankInSteps,
  recognises,
  verdictWords,
} from '@dragoman/core/internal';
import type { ReadInput, ReadJob } from './jobs.js';
import { sampleOf } from './sample.js';

export interface Guess {
  dialect: string;
  /** Read as if the prompt had ended inside the reasoning. */
  thinking: boolean;
  /** Why, in sentences; the first is the answer. */
  why: string[];
  /** How sure it is, as `dragoman explain` says. */
  confidence: ReadingVerdict['confidence'];
}

/** What one dialect reads. */
export interface RankedDialect {
  name: string;
  /** In short: `2 calls, 1 repair`. */
  words: string;
  /** Reads at least the beginning of a call. */
  reads: boolean;
  calls: { name: string; raw: string }[];
  issues: string[];
}

export interface RankOutcome {
  dialects: RankedDialect[];
  /** Characters that were read to rank them. */
  sample: number;
  /** Why, for the dialect that is in use. */
  why: string[];
  /** A dialect that fits better than the one in use. */
  better: string | undefined;
}

const onPage: ChoiceAdvice = { choose: 'choose one above the text', use: () => '' };

/** If `thinking` is not set, the text itself shows whether it begins inside reasoning. */
export function* guessDialect(input: ReadInput, dialects: readonly Dialect[]): ReadJob<Guess> {
  const { ranking } = yield* rankSample(input, dialects);
  const verdict = judge(ranking, {});
  const { best, confidence } = verdict;
  return {
    dialect: best.dialect.name,
    thinking: best.thinking,
    why: [...verdictWords(verdict, undefined, onPage), ...begun(best, input.thinking)],
    confidence,
  };
}

/** Reads the text in every dialect. `input.dialect` is the one in use. */
export function* rankDialects(input: ReadInput, dialects: readonly Dialect[]): ReadJob<RankOutcome> {
  const { ranking, sample } = yield* rankSample(input, dialects);
  const dialect = dialects.find(({ name }) => name === input.dialect);
  const verdict = judge(ranking, { dialect });
  const [first] = ranking.all;
  const better = first && first.dialect !== dialect && recognises(first) && isMore(first, verdict.best);
  return {
    dialects: ranking.all.map(toRow),
    sample: sample.length,
    why: verdictWords(verdict, undefined, onPage),
    better: better ? first.dialect.name : undefined,
  };
}

function* rankSample(
  { text, tools, thinking }: ReadInput,
  dialects: readonly Dialect[],
): ReadJob<{ ranking: Ranking; sample: string }> {
  const sample = sampleOf(text, dialects);
  yield;
  return {
    ranking: yield* rankInSteps(dialects, sample, { tools, thinking: thinking || undefined }),
    sample,
  };
}

function isMore(one: RankedReading, than: RankedReading): boolean {
  return one.calls.length + one.lost.length > than.calls.length + than.lost.length;
}

function begun({ thinking }: RankedReading, given: boolean): string[] {
  return thinking && !given ? ['It begins inside reasoning, which the prompt opened.'] : [];
}

/** Calls of a dialect that are shown, and characters of their arguments. */
const MOST_CALLS = 5;
const LONGEST = 300;

function toRow(reading: RankedReading): RankedDialect {
  const { dialect, calls, lost, issues } = reading;
  const found = [...calls, ...lost].slice(0, MOST_CALLS);
  return {
    name: dialect.name,
    words: describeReading(reading),
    reads: recognises(reading),
    calls: found.map(({ name = '', raw = '' }) => ({ name, raw: raw.slice(0, LONGEST) })),
    issues: issues.slice(0, MOST_CALLS).map(({ message }) => message),
  };
}
