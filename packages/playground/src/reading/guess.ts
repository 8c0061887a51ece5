// Guesses the dialect of a text by the ranking of core, and gives the reason in words.

import { dialects } from '@dragoman/core';
import {
  describeReading,
  type RankedReading,
  type Ranking,
  rankInSteps,
  recognises,
} from '@dragoman/core/internal';
import type { ReadInput, ReadJob } from './jobs.js';

export interface Guess {
  dialect: string;
  /** Read as if the prompt had ended inside the reasoning. */
  thinking: boolean;
  /** Why, in words. */
  why: string;
}

/** If `thinking` is not set, the text itself shows whether it begins inside reasoning. */
export function* guessDialect({ text, tools, thinking }: ReadInput): ReadJob<Guess> {
  const ranking = yield* rankInSteps(dialects, text, { tools, thinking: thinking || undefined });
  const [best] = ranking.all as [RankedReading];
  const begun = best.thinking && !thinking ? ' It begins inside reasoning, which the prompt opened.' : '';
  return { dialect: best.dialect.name, thinking: best.thinking, why: `${whyFor(best, ranking)}${begun}` };
}

function whyFor(best: RankedReading, { all, fitting, alike }: Ranking): string {
  if (fitting.length === 0) {
    return best.left.length > 0
      ? 'No dialect reads a call here, though the text holds pieces of markup.'
      : 'No dialect finds a call here, so all of them read it as plain text.';
  }
  const found = `${best.dialect.name} reads this as ${describeReading(best)}.`;
  if (alike.length > 1) return `${found} ${list(alike.slice(1))} would read it just as well.`;
  if (fitting.length > 1) {
    return `${found} ${list(fitting.slice(1))} would read it as well, but ${fitting.length === 2 ? 'writes' : 'write'} such a call differently.`;
  }
  const rival = all.slice(1).find(recognises);
  return rival
    ? `${found} The next best, ${rival.dialect.name}, reads it as ${describeReading(rival)}.`
    : `${found} No other dialect reads a call.`;
}

function list(readings: readonly RankedReading[]): string {
  const names = readings.map(({ dialect }) => dialect.name);
  return names.length === 1 ? (names[0] as string) : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
