// The results that a text begins with.

import type { Dialect, ReadResults } from '../codec/dialect.js';
import { backOf } from '../dialects/back/index.js';
import { layoutOf, type ResultFrame } from './layout.js';
import { readOutside } from './read-text.js';
import { sharedLength } from './same-text.js';

/** `guess`: texts are taken as they stand. */
export function readResults(dialect: Dialect, text: string, guess = false): ReadResults | undefined {
  const back = backOf(dialect);
  if (back?.results) return back.results(text);
  const frame = layoutOf(dialect).results;
  return frame && framed(frame, text, (written) => (guess ? undefined : readOutside(dialect, written)));
}

/** open text between text close: no marker of a frame is in a text, so the first that comes ends it. */
function framed(
  { open, between, close }: ResultFrame,
  text: string,
  read: (written: string) => string | undefined,
): ReadResults | undefined {
  if (open === '' || !text.startsWith(open)) return undefined;
  const end = between.slice(0, sharedLength(between, close));
  const results: ReadResults['results'] = [];
  for (let at = open.length; ; ) {
    const stop = text.indexOf(end, at);
    if (end === '' || stop < 0) return undefined;
    const written = text.slice(at, stop);
    results.push({ text: read(written) ?? written });
    if (text.startsWith(between, stop)) at = stop + between.length;
    else if (text.startsWith(close, stop)) return { results, end: stop + close.length };
    else return undefined;
  }
}
