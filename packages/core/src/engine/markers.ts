// Markers: the strings with a special meaning in a dialect. One set serves both directions: `neutralise` breaks
// them in text that goes into a prompt; the parser finds them in a model's output and undoes the breaks.
//
//   <tool_call>   from outside becomes   <\tool_call>   in a prompt, and   <tool_call>   again when read
//
// The break is one backslash after the marker's first character. Text that already looks broken gets one
// more, so that every text is restored exactly. A text without markers is never changed.

import { type Match, matchLiteral, NO, NOT_YET, nextOf } from '../text/characters.js';
import { Gather } from '../text/gather.js';

export { type Match, matchFirst, matchLiteral, NO, NOT_YET, nextOf } from '../text/characters.js';

const BREAK = '\\';

/**
 * Matches a marker without its first character against the text from `at`. If `ended`, no more text will come, and
 * the result is never NOT_YET.
 */
export type TailMatcher = (text: string, at: number, ended: boolean) => Match;

export interface MarkerSet {
  /** The markers that have one spelling. */
  readonly literals: readonly string[];
  /** The first characters of all markers, each once. */
  readonly firsts: string;
  /** The length of the longest literal. */
  readonly longest: number;
  /** Matches the marker whose first character is at `at` and whose tail begins at `tail`. */
  match(text: string, at: number, ended: boolean, tail?: number): Match;
  /** Whether a complete text contains a marker, broken or not. */
  stands(text: string): boolean;
  /**
   * This set plus the strings that have a meaning only in an assistant's text: where calls need no marker, their
   * beginning is broken there. The dialect's own openers undo it.
   */
  readonly said?: MarkerSet;
  /** Matches the tail of a marker that begins with `first`. */
  matchTail(first: string, text: string, tail: number, ended: boolean): Match;
}

/** Makes a set of literal markers, and of matchers for markers with several spellings. */
export function defineMarkers(
  literals: readonly string[],
  matchers: Record<string, TailMatcher[]> = {},
): MarkerSet {
  const tails = new Map<string, string[]>();
  for (const literal of literals) {
    const first = literal.charAt(0);
    tails.set(first, [...(tails.get(first) ?? []), literal.slice(1)]);
  }
  // Longest first: `<tools_input>` before `<tools`.
  for (const list of tails.values()) list.sort((a, b) => b.length - a.length);
  const firsts = [...new Set([...tails.keys(), ...Object.keys(matchers)])].join('');
  const matchTail: MarkerSet['matchTail'] = (first, text, tail, ended) => {
    let undecided = false;
    for (const candidate of tails.get(first) ?? []) {
      const found = matchLiteral(text, tail, candidate, ended);
      if (found > 0) return found + 1;
      if (found === NOT_YET) undecided = true;
    }
    for (const matcher of matchers[first] ?? []) {
      const found = matcher(text, tail, ended);
      if (found > 0) return found + 1;
      if (found === NOT_YET) undecided = true;
    }
    return undecided ? NOT_YET : NO;
  };
  const match: MarkerSet['match'] = (text, at, ended, tail = at + 1) =>
    matchTail(text.charAt(at), text, tail, ended);
  const searches = [...tails].flatMap(([first, list]) => {
    const search = searchFor(first, list);
    return search ? [{ first, search }] : [];
  });
  const odd = Object.keys(matchers).join('');
  const stands = (text: string) =>
    searches.some(({ first, search }) => text.includes(first) && search.test(text)) ||
    (odd !== '' && standsAt(text, odd, match));
  const longest = Math.max(0, ...literals.map((literal) => literal.length));
  return { literals, firsts, longest, stands, matchTail, match };
}

/** Makes a linear regular expression: the first character, any breaks, one of the tails. */
function searchFor(first: string, tails: readonly string[]): RegExp | undefined {
  const able = tails.filter((tail) => tail !== '' && !tail.startsWith(BREAK));
  if (able.length === 0) return undefined;
  const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(`${literal(first)}\\\\*(?:${able.map(literal).join('|')})`);
}

/** Whether a marker that begins with one of `firsts` is in the text, broken or not. */
export function standsAt(text: string, firsts: string, match: MarkerSet['match']): boolean {
  return !markedPlaces(text, { firsts, match }).next().done;
}

/** Finds the markers in a complete text, broken or not, and where the rest of each begins. */
function* markedPlaces(
  text: string,
  { firsts, match }: Pick<MarkerSet, 'firsts' | 'match'>,
): Generator<[at: number, tail: number]> {
  for (let at = nextOf(text, firsts, 0); at < text.length; at = nextOf(text, firsts, at + 1)) {
    const tail = skipBreaks(text, at + 1);
    if (match(text, at, true, tail) !== NO) yield [at, tail];
  }
}

/** The empty set, for text whose frame is chosen so that it does not occur in the text. */
export const NO_MARKERS: MarkerSet = defineMarkers([]);

/** Breaks every marker of the set. A text without markers is returned unchanged. */
export function neutralise(text: string, markers: MarkerSet): string {
  if (!markers.stands(text)) return text;
  return edited(text, markers, (at) => [at + 1, BREAK, at + 1]);
}

/** Writes `by` in place of the text from `from` to `to`, at each marker. */
function edited(
  text: string,
  markers: MarkerSet,
  edit: (at: number, tail: number) => [from: number, by: string, to: number],
): string {
  let done = 0;
  const out = new Gather();
  for (const [at, tail] of markedPlaces(text, markers)) {
    const [from, by, to] = edit(at, tail);
    out.add(text.slice(done, from) + by);
    done = to;
  }
  return out + text.slice(done);
}

/** Breaks a marker that begins in text from outside and would be completed by our own text `ahead`. */
export function neutraliseEnd(text: string, ahead: string, markers: MarkerSet): string {
  const { longest } = markers;
  let at = nextOf(text, markers.firsts, Math.max(0, text.length - longest - 1));
  if (ahead === '' || at === text.length) return text;
  const joined = text + ahead.slice(0, longest);
  for (; at < text.length; at = nextOf(text, markers.firsts, at + 1)) {
    const tail = skipBreaks(joined, at + 1);
    // A marker that is complete within the text has been broken by `neutralise`.
    if (markers.match(text, at, true, Math.min(tail, text.length)) !== NO) continue;
    if (markers.match(joined, at, true, tail) === NO) continue;
    return text.slice(0, at + 1) + BREAK + text.slice(at + 1);
  }
  return text;
}

/** Undoes `neutralise` in a complete text. */
export function restore(text: string, markers: MarkerSet): string {
  if (!text.includes(BREAK) || !markers.stands(text)) return text;
  return edited(text, markers, (at, tail) => [at + 1, '', Math.min(at + 2, tail)]);
}

/**
 * Breaks every marker in JSON text by escaping its first character as `\uXXXX`, without loss. The caller must ensure
 * that markers occur only inside strings: outside of them, a `[` begins a list.
 */
export function escapeMarkers(json: string, markers: MarkerSet): string {
  const escaped = (at: number) => `\\u${json.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return edited(json, markers, (at) => [at, escaped(at), at + 1]);
}

export function hasMarker(text: string, markers: MarkerSet): boolean {
  return markers.stands(text);
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === BREAK) at++;
  return at;
}
