// Which dialects could have written a text: all of them read it, and what they make of it is compared.

import type { Detection, Dialect } from '@dragoman/core';
import { withDialect } from '../find-dialect.js';
import { findMarkers } from './find-markers.js';
import { type Reading, type ReadOptions, readText } from './read-text.js';

/**
 * `asked`: by --dialect. `sure`: no other recognises anything. `likely`: others do, with more to mend. `open`: others
 * read it as well. `none`: nobody recognises a call.
 */
type Confidence = 'asked' | 'sure' | 'likely' | 'open' | 'none';

export interface Ranking {
  /** What is shown. */
  best: Reading;
  confidence: Confidence;
  /** All of them, the best first. */
  all: Reading[];
  /** Those that cannot be told from the first. */
  equal: Reading[];
}

export interface RankOptions extends ReadOptions {
  dialect?: Dialect | undefined;
  /** What the model's name or its template tells. */
  told?: Detection | undefined;
}

export function rankDialects(text: string, options: RankOptions): Ranking {
  const { dialects } = withDialect(options.dialect);
  const markers = findMarkers(text, dialects);
  const readings = dialects.map((dialect) => readText(dialect, text, markers, options));
  const rank = ({ dialect }: Reading) => (dialect === options.told?.dialect ? -1 : dialects.indexOf(dialect));
  const all = readings.sort((a, b) => compare(a, b) || rank(a) - rank(b));
  const [first] = all as [Reading];
  const equal = all.slice(1).filter((one) => compare(first, one) === 0);
  const asked = options.dialect && all.find(({ dialect }) => dialect === options.dialect);
  if (asked) return { best: asked, confidence: 'asked', all, equal };
  return { best: first, confidence: confidenceIn(first, all, equal), all, equal };
}

function confidenceIn(first: Reading, all: readonly Reading[], equal: readonly Reading[]): Confidence {
  if (!recognises(first)) return 'none';
  if (equal.length > 0) return 'open';
  return all.some((one) => one !== first && recognises(one)) ? 'likely' : 'sure';
}

/** Whether the text means something in this dialect: calls, or what was to be one. */
export function recognises(reading: Reading): boolean {
  return hasCalls(reading) || noticed(reading) > 0;
}

function hasCalls({ calls, lost }: Reading): boolean {
  return calls.length + lost.length > 0;
}

/** Faults that only a reader of this very format sees. */
function noticed({ issues }: Reading): number {
  return issues.filter(({ code }) => code !== 'foreign-format').length;
}

/**
 * More calls, then more that were at least seen; then less that is wrong, left over, or mended. Where there is no
 * call at all, whoever sees something wrong knows more than who sees nothing.
 */
function compare(a: Reading, b: Reading): number {
  return (
    b.calls.length - a.calls.length ||
    b.lost.length - a.lost.length ||
    (hasCalls(a) ? a.issues.length - b.issues.length : noticed(b) - noticed(a)) ||
    a.left.length - b.left.length ||
    a.repairs.length - b.repairs.length
  );
}
