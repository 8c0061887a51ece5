// Finds all matches of a search in steps. The editor's own commands look through a text in one go, which takes a quarter
// of a second for a word that is not in a megabyte; no key is heard meanwhile.

import type { SearchQuery } from '@codemirror/search';
import type { EditorState } from '@codemirror/state';

export interface Match {
  from: number;
  to: number;
}

/** Characters of one step: a few milliseconds. */
const STEP = 16_384;

/** Matches that are listed. */
export const MOST_MATCHES = 10_000;

/** Yields between two steps, and returns the matches in their order, at most `MOST_MATCHES`. */
export function* findMatches(state: EditorState, query: SearchQuery): Generator<void, Match[]> {
  const found: Match[] = [];
  if (!query.valid) return found;
  const { length } = state.doc;
  // A pattern may match over many lines, and the engine of the browser is quick.
  const step = query.regexp ? length + 1 : STEP;
  // A match begins in a step, and may end in the next one; letters may be written as several characters.
  const beyond = query.regexp ? 0 : 2 * query.search.length + 16;
  for (let start = 0; start <= length; start += step) {
    const end = Math.min(length, start + step);
    const first = Math.max(start, found.at(-1)?.to ?? 0);
    for (const { from, to } of matchesIn(state, query, first, Math.min(length, end + beyond))) {
      if (from >= end && end < length) break;
      if (from < to) found.push({ from, to });
      if (found.length >= MOST_MATCHES) return found;
      if (found.length % 256 === 0) yield;
    }
    yield;
  }
  return found;
}

/** Whether there are more matches than so many in some parts of the text. */
export function hasMore(
  state: EditorState,
  query: SearchQuery,
  parts: readonly Match[],
  most: number,
): boolean {
  if (!query.valid) return false;
  let left = most;
  for (const { from, to } of parts)
    for (const match of matchesIn(state, query, from, to)) {
      // A pattern may find nothing at a place, and goes on to the end of its line.
      if (match.from >= to) break;
      if (match.from < match.to && --left < 0) return true;
    }
  return false;
}

function* matchesIn(state: EditorState, query: SearchQuery, from: number, to: number): Generator<Match> {
  const cursor = query.getCursor(state, from, to);
  for (let next = cursor.next(); !next.done; next = cursor.next()) yield next.value as Match;
}

/** Gives the match behind a selection, or before it; over the end of the text to its other end. */
export function nextMatch(matches: readonly Match[], at: Match, direction: 1 | -1): number {
  if (direction === 1)
    return Math.max(
      0,
      matches.findIndex(({ from }) => from >= at.to),
    );
  const before = matches.findLastIndex(({ to }) => to <= at.from);
  return before < 0 ? matches.length - 1 : before;
}
