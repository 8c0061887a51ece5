// Escapes text in dialects whose calls need no marker. Where the text of an assistant looks like the beginning of a
// call at a place where a call may begin, the writer breaks it with a backslash, as it breaks markers; the reader
// removes it.
//
//   {"name": …   at the start of a line becomes   {\"name": …   and   {"name": …   again when read
//
// The backslash comes after the brace, or after the first character of the fence; in a list, after its first brace.

import type { Opener } from '../../engine/dialect.js';
import { type MarkerSet, type Match, NO, NOT_YET, standsAt } from '../../engine/markers.js';
import { unbreaking } from '../../engine/reader.js';
import { callHead } from './call-heads.js';
import { mayBegin } from './unmarked-json.js';

export interface BareHead {
  /** What comes before the JSON: a code fence, or nothing. */
  before: string;
  keys: readonly string[];
  /** Where it counts as the beginning of a call. */
  where: 'answer' | 'line';
}

/** The longest head that is looked for, in characters. */
const HEAD_LIMIT = 128;

/** Combines the markers and the heads of calls into one set. */
export function saidMarkers(markers: MarkerSet, heads: readonly BareHead[]): MarkerSet {
  const firsts = [...new Set(markers.firsts + firstsOf(heads))].join('');
  const match: MarkerSet['match'] = (text, at, ended, tail = at + 1) => {
    const literal = markers.match(text, at, ended, tail);
    if (literal !== NO) return literal;
    const here = heads.filter((head) => mayStand(text, at, head));
    return matchHead(here, text.charAt(at), text, tail, ended);
  };
  const stands = (text: string) => markers.stands(text) || standsAt(text, firsts, match);
  return { ...markers, firsts, match, stands };
}

/** Removes the backslash from broken heads. Runs before the openers of calls, which never match a broken head. */
export function unbreakOpener(heads: readonly BareHead[]): Opener {
  return {
    firsts: `${firstsOf(heads)}[`,
    inline: true,
    match: (text, at, ended) => {
      const list = text.charAt(at) === '[' ? listHead(text, at, ended) : 0;
      if (list < 0) return NOT_YET;
      const first = at + list;
      if (!firstsOf(heads).includes(text.charAt(first))) return NO;
      if (first + 1 >= text.length) return ended ? NO : NOT_YET;
      return text.charAt(first + 1) === '\\' ? first + 2 - at : NO;
    },
    open: (reader) => {
      const here = heads.filter(({ where }) => mayBegin(reader, where));
      const { text, at } = reader;
      const first = at + (text.charAt(at) === '[' ? listHead(text, at, true) : 0);
      reader.say(first + 1 - at);
      const char = text.charAt(first);
      return unbreaking((ahead, tail, ended) => matchHead(here, char, ahead, tail, ended), reader.plain);
    },
  };
}

/** Gives the length of `[` and the white space after it, up to the brace. NOT_YET at the end of the text. */
function listHead(text: string, at: number, ended: boolean): number {
  let end = at + 1;
  while (end - at <= 16 && ' \n\r\t'.includes(text.charAt(end) || 'x')) end++;
  return end >= text.length && !ended ? NOT_YET : end - at;
}

/** Matches a head whose first character is given and whose rest is at `tail`. */
function matchHead(
  heads: readonly BareHead[],
  first: string,
  text: string,
  tail: number,
  ended: boolean,
): Match {
  let result = NO;
  for (const { before, keys } of heads) {
    if (firstOf(before) !== first) continue;
    const whole = first + text.slice(tail, tail + HEAD_LIMIT);
    const found = callHead(before, keys)(whole, 0, ended || text.length >= tail + HEAD_LIMIT);
    if (found > 0) return found;
    if (found === NOT_YET) result = NOT_YET;
  }
  return result;
}

function firstOf(before: string): string {
  return before === '' ? '{' : before.charAt(0);
}

function firstsOf(heads: readonly BareHead[]): string {
  return [...new Set(heads.map(({ before }) => firstOf(before)))].join('');
}

/**
 * Whether a call may begin at this place of a whole text: at its start, at the start of a line, or after such a `[`.
 */
function mayStand(text: string, at: number, { before, where }: BareHead): boolean {
  if (begins(text, at, where)) return true;
  if (before !== '') return false;
  const space = spaceBefore(text, at);
  return at - space <= 16 && text.charAt(space - 1) === '[' && begins(text, space - 1, where);
}

function begins(text: string, at: number, where: BareHead['where']): boolean {
  if (where === 'line' && at > 0 && '\n\r'.includes(text.charAt(at - 1))) return true;
  return spaceBefore(text, at) === 0;
}

function spaceBefore(text: string, at: number): number {
  let before = at;
  while (before > 0 && ' \t\r\n'.includes(text.charAt(before - 1))) before--;
  return before;
}
