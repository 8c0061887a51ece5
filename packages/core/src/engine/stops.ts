// Where a run of plain text may end: the characters that can begin something else, and those that may follow them.

import type { Dialect, Opener } from './dialect.js';

export interface Stops {
  /** The first characters of everything that can end a run of plain text. */
  readonly firsts: string;
  /** The one or two characters that may follow one of `firsts`. Anything else rules out a stop at once. */
  readonly next: ReadonlySet<string> | undefined;
  /** Whether a character may be one of `firsts`, or a line break: by the last bits of its code, so only a 0 is certain. */
  readonly mayStop: Uint8Array;
  /** Whether it may follow one of `firsts`. */
  readonly mayFollow: Uint8Array;
}

/** The bits of a code that count in a table. */
export const PLACES = 0x7f;

/** A cache by the list of openers: a dialect's own, or the empty one. */
const stops = new WeakMap<Dialect, Map<readonly Opener[], Stops>>();

/** Gives the stops of a dialect. They are computed once, because a dialect never changes. */
export function stopsOf(dialect: Dialect, openers: readonly Opener[]): Stops {
  const known = stops.get(dialect) ?? new Map<readonly Opener[], Stops>();
  stops.set(dialect, known);
  const found = known.get(openers);
  if (found) return found;
  const firsts = firstsOf(dialect, openers);
  const next = nextOfStops(dialect, openers);
  const made = { firsts, next, mayStop: tableOf(`\n${firsts}`), mayFollow: tableOf(next ?? []) };
  known.set(openers, made);
  return made;
}

/** Whether the two characters behind one of `firsts` rule out a stop there. */
export function isSettled({ next, mayFollow }: Stops, text: string, at: number): boolean {
  if (next === undefined || at + 1 >= text.length) return false;
  if (mayFollow[text.charCodeAt(at + 1) & PLACES] === 0) return true;
  return text.charAt(at + 1) !== '\\' && !next.has(text.slice(at + 1, at + 3));
}

/** Makes a table of the first characters of some strings. */
function tableOf(strings: Iterable<string>): Uint8Array {
  const table = new Uint8Array(PLACES + 1);
  for (const text of strings) table[text.charCodeAt(0) & PLACES] = 1;
  return table;
}

function firstsOf(dialect: Dialect, openers: readonly Opener[]): string {
  const { grammar, traits, markers } = dialect;
  const firsts = [
    markers.firsts,
    ...openers.map((opener) => opener.firsts),
    ...(grammar.frames ?? []).map((frame) => frame.firsts),
    ...(grammar.drop ?? []).map(({ marker }) => marker.charAt(0)),
    ...(grammar.notice ?? []).map(({ marker }) => marker.charAt(0)),
    traits.reasoning ? traits.reasoning.open.charAt(0) + traits.reasoning.close.charAt(0) : '',
  ];
  return [...new Set(firsts.join(''))].join('');
}

/**
 * Gives the one or two characters that can follow the first character of a stop, including the break of a marker.
 * Undefined if an opener does not list them.
 */
function nextOfStops(dialect: Dialect, openers: readonly Opener[]): ReadonlySet<string> | undefined {
  const { grammar, traits } = dialect;
  if (openers.some(({ next }) => next === undefined)) return undefined;
  const markers = [...(grammar.drop ?? []), ...(grammar.notice ?? [])].map(({ marker }) => marker);
  if (traits.reasoning) markers.push(traits.reasoning.open, traits.reasoning.close);
  const pairs = [
    ...openers.flatMap(({ next = [] }) => next),
    ...(grammar.frames ?? []).flatMap(({ next }) => next),
    ...markers.map((marker) => marker.slice(1, 3)),
  ];
  // The second character alone, where the text ends after it.
  return new Set([...pairs, ...pairs.map((pair) => pair.charAt(0)), '\\']);
}
