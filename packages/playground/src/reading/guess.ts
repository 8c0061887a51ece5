// Which dialect a text was written in: every dialect reads it, and the reading that makes most of it wins.

import type { Range } from '@dragoman/core';
import { dialects } from '@dragoman/core';
import type { Reading } from './reading.js';
import { segmentIndexAt } from './segments.js';

export interface Candidate {
  dialect: string;
  reading: Reading;
  /** Markers, of any dialect, that this one left standing in text. */
  left: number;
  /** See spelled-alike.ts. */
  alike: number;
}

export interface Guess {
  dialect: string;
  /** Why, in words. */
  why: string;
}

/** Calls that came out; calls that were seen and failed; then what is wrong, left over, or mended. */
export function guessFrom(candidates: readonly Candidate[]): Guess {
  const ranked = [...candidates].sort(compare);
  const [best] = ranked as [Candidate];
  const equal = ranked.slice(1).filter((one) => compare(best, one) === 0);
  return { dialect: best.dialect, why: whyFor(best, ranked.slice(1), equal) };
}

function compare(a: Candidate, b: Candidate): number {
  return (
    count(b, 'complete') - count(a, 'complete') ||
    count(b, 'failed') - count(a, 'failed') ||
    known(b) - known(a) ||
    notes(a, 'issue') - notes(b, 'issue') ||
    a.left - b.left ||
    notes(a, 'repair') - notes(b, 'repair') ||
    b.alike - a.alike
  );
}

function whyFor(best: Candidate, others: readonly Candidate[], equal: readonly Candidate[]): string {
  if (count(best, 'complete') + count(best, 'failed') === 0 && known(best) === 0) {
    return best.left > 0
      ? 'No dialect reads a call here, though the text holds pieces of markup.'
      : 'No dialect finds a call here, so all of them read it as plain text.';
  }
  const said = `${best.dialect} ${findings(best)}.`;
  if (equal.length > 0) return `${said} ${list(equal)} would read it just as well.`;
  const akin = others.filter((one) => compare({ ...one, alike: best.alike }, best) === 0);
  if (akin.length > 0) {
    return `${said} ${list(akin)} would read it as well, but ${akin.length === 1 ? 'writes' : 'write'} such a call differently.`;
  }
  const rival = others.find((one) => count(one, 'complete') + count(one, 'failed') > 0);
  return rival
    ? `${said} The next best, ${rival.dialect}, ${findings(rival)}.`
    : `${said} No other dialect reads a call.`;
}

function findings(one: Candidate): string {
  const parts = [`reads ${number(count(one, 'complete'), 'call')}`];
  const failed = count(one, 'failed');
  if (failed > 0) parts.push(`sees ${number(failed, 'call')} that cannot be run`);
  if (notes(one, 'issue') > 0) parts.push(`finds ${number(notes(one, 'issue'), 'fault')}`);
  if (notes(one, 'repair') > 0) parts.push(`mends ${number(notes(one, 'repair'), 'slip')}`);
  if (one.left > 0) parts.push(`leaves ${number(one.left, 'piece')} of markup in the text`);
  return parts.length === 1 ? (parts[0] as string) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

const number = (n: number, word: string) => `${n === 0 ? 'no' : n} ${word}${n === 1 ? '' : 's'}`;

function list(candidates: readonly Candidate[]): string {
  const names = candidates.map(({ dialect }) => dialect);
  return names.length === 1 ? (names[0] as string) : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function count({ reading }: Candidate, state: 'complete' | 'failed'): number {
  return reading.calls.filter((call) => call.state === state).length;
}

function notes({ reading }: Candidate, type: 'issue' | 'repair'): number {
  return reading.notes.filter((note) => note.type === type).length;
}

/** Whoever sees something wrong where there is no call knows the format better than who sees nothing. */
function known(one: Candidate): number {
  if (one.reading.calls.length > 0) return 0;
  return one.reading.notes.filter(({ type, code }) => type === 'issue' && code !== 'foreign-format').length;
}

/** Strings that act in some dialect, in the order of the text. */
export function findMarkers(text: string): Range[] {
  const firsts = new Set(dialects.flatMap(({ markers }) => [...markers.firsts]));
  const found: Range[] = [];
  for (let at = 0; at < text.length; at++) {
    if (!firsts.has(text.charAt(at))) continue;
    const length = Math.max(...dialects.map(({ markers }) => markerLength(markers, text, at)));
    if (length <= 0) continue;
    found.push([at, at + length]);
    at += length - 1;
  }
  return found;
}

function markerLength(markers: (typeof dialects)[number]['markers'], text: string, at: number): number {
  return markers.firsts.includes(text.charAt(at)) ? markers.match(text, at, true) : 0;
}

export function leftOver(markers: readonly Range[], { segments }: Reading): number {
  const isText = (at: number) => segments.bases[segmentIndexAt(segments, at)] === 0;
  return markers.filter(([start]) => isText(start)).length;
}
