// Chooses the reading that is shown, and describes how sure that is and why.

import type { Detection } from '../engine/detect.js';
import type { Dialect } from '../engine/dialect.js';
import { describeReading, type RankedReading, type Ranking, recognises } from '../engine/rank-readings.js';

/**
 * `asked`: by --dialect. `sure`: no other dialect recognises anything. `likely`: others do, and fit worse. `open`:
 * others fit as well. `none`: no dialect recognises a call.
 */
type Confidence = 'asked' | 'sure' | 'likely' | 'open' | 'none';

export interface ReadingVerdict extends Pick<Ranking, 'all' | 'fitting'> {
  /** The reading that is shown. */
  best: RankedReading;
  confidence: Confidence;
}

export interface DialectHints {
  /** Shown even where another fits better. */
  dialect?: Dialect | undefined;
  /** The dialect of the model's name or template: decides where several fit equally. */
  told?: Detection | undefined;
}

export function judge({ all, fitting }: Ranking, { dialect, told }: DialectHints): ReadingVerdict {
  const asked = dialect && all.find((one) => one.dialect === dialect);
  if (asked) return { best: asked, confidence: 'asked', all, fitting };
  const candidates = fitting.length > 0 ? fitting : all;
  const best = candidates.find((one) => one.dialect === told?.dialect) ?? (all[0] as RankedReading);
  const toFront = (list: RankedReading[]) => list.toSorted((a, b) => Number(b === best) - Number(a === best));
  return { best, confidence: confidenceIn(all, fitting), all: toFront(all), fitting: toFront(fitting) };
}

function confidenceIn(all: readonly RankedReading[], fitting: readonly RankedReading[]): Confidence {
  if (fitting.length === 0) return 'none';
  if (fitting.length > 1) return 'open';
  return all.filter(recognises).length > 1 ? 'likely' : 'sure';
}

/** How a person chooses another dialect: with options of a command, or on a page. */
export interface ChoiceAdvice {
  /** What to do where several dialects read different calls. */
  choose: string;
  /** What to do for a dialect that fits better. */
  use(dialect: string): string;
}

const byOption: ChoiceAdvice = {
  choose: 'choose with --dialect, or name the model with --model',
  use: (dialect) => `Try --dialect ${dialect}.`,
};

/** Gives sentences, the first of which is the answer. */
export function verdictWords(
  verdict: ReadingVerdict,
  told: string | undefined,
  advice: ChoiceAdvice = byOption,
): string[] {
  const { best, confidence } = verdict;
  const name = best.dialect.name;
  const found = describeReading(best);
  switch (confidence) {
    case 'sure':
      return [`This is ${name}: no other dialect recognises anything in it. Read: ${found}.`];
    case 'likely':
      return [`Most likely ${name}: ${found}.`, ...othersOf(verdict)];
    case 'open':
      return [`Could be ${alternatives(verdict)}: ${found} in each.`, ...choiceOf(verdict, told, advice)];
    case 'asked':
      return [`Read as ${name}, as you asked: ${found}.`, ...betterThan(verdict, advice)];
    case 'none':
      return ['No dialect reads a call in this text.'];
  }
}

function alternatives({ fitting }: ReadingVerdict): string {
  const names = fitting.map(({ dialect }) => dialect.name);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function choiceOf(
  { best, fitting }: ReadingVerdict,
  told: string | undefined,
  { choose }: ChoiceAdvice,
): string[] {
  const same = fitting.every((one) => callsOf(one) === callsOf(best));
  const shown = `Shown as ${best.dialect.name}${told === undefined ? '' : `: ${told}`}`;
  return same
    ? [`They read the same calls, so for this text it makes no difference. ${shown}.`]
    : [`They read different calls. ${shown}; ${choose}.`];
}

function callsOf({ calls }: RankedReading): string {
  return JSON.stringify(calls.map(({ name, raw }) => [name, raw]));
}

function othersOf({ best, all }: ReadingVerdict): string[] {
  const others = all.filter((one) => one !== best && recognises(one));
  const words = others.map((one) => `${one.dialect.name} (${describeReading(one)})`);
  return [`Less likely, because ${others.length === 1 ? 'it fits' : 'they fit'} worse: ${words.join('; ')}.`];
}

/** Recommends another dialect if it fits better than the one that was asked for. */
function betterThan({ best, all }: ReadingVerdict, { use }: ChoiceAdvice): string[] {
  const [first] = all;
  if (!first || first === best || !isBetter(first, best)) return [];
  return [`${first.dialect.name} fits better: ${describeReading(first)}. ${use(first.dialect.name)}`];
}

/** Whether a reading has more calls than another, or as many with fewer issues. */
export function isBetter(one: RankedReading, than: RankedReading): boolean {
  if (one.calls.length !== than.calls.length) return one.calls.length > than.calls.length;
  return one.calls.length > 0 && one.issues.length < than.issues.length;
}
