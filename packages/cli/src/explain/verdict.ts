// Which dialects could have written a text, in words, and how sure that is.

import { type Ranking, recognises } from './rank.js';
import type { Reading } from './read-text.js';

/** What a reading found: `1 call, 2 repairs`. */
function summaryOf({ calls, lost, issues, repairs, left }: Reading): string {
  const parts = [
    ...(calls.length > 0 || lost.length === 0 ? [count(calls.length, 'call')] : []),
    ...(lost.length > 0 ? [`${count(lost.length, 'call')} not delivered`] : []),
    ...(issues.length > 0 ? [count(issues.length, 'issue')] : []),
    ...(repairs.length > 0 ? [count(repairs.length, 'repair')] : []),
    ...(left.length > 0 ? [`${count(left.length, 'marker')} left in the text`] : []),
  ];
  return parts.join(', ');
}

function count(n: number, what: string): string {
  return `${n === 0 ? 'no' : n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}

/** Sentences, the first of which is the answer. */
export function verdictOf(ranking: Ranking, told: string | undefined): string[] {
  const { best, confidence } = ranking;
  const name = best.dialect.name;
  const found = summaryOf(best);
  switch (confidence) {
    case 'sure':
      return [`This is ${name}: no other dialect recognises anything in it. Read: ${found}.`];
    case 'likely':
      return [`Most likely ${name}: ${found}.`, ...othersOf(ranking)];
    case 'open':
      return [`Could be ${alternatives(ranking)}: ${found} in each.`, ...choiceOf(ranking, told)];
    case 'asked':
      return [`Read as ${name}, as you asked: ${found}.`, ...betterThan(ranking)];
    case 'none':
      return ['No dialect reads a call in this text.'];
  }
}

function alternatives({ best, equal }: Ranking): string {
  const names = [best, ...equal].map(({ dialect }) => dialect.name);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function choiceOf({ best, equal }: Ranking, told: string | undefined): string[] {
  const same = equal.every((one) => callsOf(one) === callsOf(best));
  const shown = `Shown as ${best.dialect.name}${told === undefined ? '' : `: ${told}`}`;
  return same
    ? [`They read the same calls, so for this text it makes no difference. ${shown}.`]
    : [`They read different calls. ${shown}; choose with --dialect, or name the model with --model.`];
}

function callsOf({ calls }: Reading): string {
  return JSON.stringify(calls.map(({ name, raw }) => [name, raw]));
}

function othersOf({ best, all }: Ranking): string[] {
  const others = all.filter((one) => one !== best && recognises(one));
  const words = others.map((one) => `${one.dialect.name} (${summaryOf(one)})`);
  return [`Less likely, because ${others.length === 1 ? 'it fits' : 'they fit'} worse: ${words.join('; ')}.`];
}

/** What was asked for is read, but not without a word where another fits better. */
function betterThan({ best, all }: Ranking): string[] {
  const [first] = all;
  if (!first || first === best || !isBetter(first, best)) return [];
  return [`${first.dialect.name} fits better: ${summaryOf(first)}. Try --dialect ${first.dialect.name}.`];
}

/** More calls, or the same ones with fewer issues. */
export function isBetter(one: Reading, than: Reading): boolean {
  if (one.calls.length !== than.calls.length) return one.calls.length > than.calls.length;
  return one.calls.length > 0 && one.issues.length < than.issues.length;
}
