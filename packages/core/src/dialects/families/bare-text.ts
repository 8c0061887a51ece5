// Text in dialects whose calls need no marker: what looks like the beginning of a call, where one may begin, is
// broken in text from outside as markers are, and made whole again when it is read.
//
//   {"name": …   at the start of a text from outside becomes   {\"name": …   and   {"name": …   again when read

import type { Opener, Render } from '../../codec/dialect.js';
import { type MarkerSet, type Match, NO, NOT_YET, nextOf } from '../../codec/markers.js';
import type { Mode, Reader } from '../../codec/reader.js';
import type { Head } from './call-heads.js';
import { mayBegin } from './json-in-markers.js';

export interface BareHead {
  firsts: string;
  head: Head;
  /** Where it is the beginning of a call. */
  where: 'answer' | 'line' | 'anywhere';
}

/** No head is longer than this. */
const HEAD_LIMIT = 128;

/** Markers and heads together, for text that an assistant, a user or a host says. */
export function textMarkers(markers: MarkerSet, heads: readonly BareHead[]): MarkerSet {
  const firsts = [...new Set(markers.firsts + heads.map((head) => head.firsts).join(''))].join('');
  const match: MarkerSet['match'] = (text, at, ended, tail = at + 1) => {
    const literal = markers.match(text, at, ended, tail);
    if (literal !== NO) return literal;
    return matchHead(
      heads.filter(({ where }) => stands(text, at, where)),
      text.charAt(at),
      text,
      tail,
      ended,
    );
  };
  const found = (text: string) => {
    for (let at = nextOf(text, firsts, 0); at < text.length; at = nextOf(text, firsts, at + 1))
      if (match(text, at, true, behindBreaks(text, at + 1)) !== NO) return true;
    return false;
  };
  return { ...markers, firsts, match, stands: (text) => markers.stands(text) || found(text) };
}

export function writeBareText(markers: MarkerSet): NonNullable<Render['text']> {
  return (out, text, field) => void out.outside(text, field, markers);
}

/** Reads what was broken. It stands before the openers of calls, which never match it. */
export function unbreakOpener(markers: MarkerSet, heads: readonly BareHead[]): Opener {
  const firsts = [...new Set(markers.firsts + heads.map((head) => head.firsts).join(''))].join('');
  return {
    firsts,
    inline: true,
    match: (text, at, ended) => {
      if (!firsts.includes(text.charAt(at))) return NO;
      if (at + 1 >= text.length) return ended ? NO : NOT_YET;
      return text.charAt(at + 1) === '\\' ? 2 : NO;
    },
    open: (reader) => {
      const here = heads.filter(({ where }) => where === 'anywhere' || mayBegin(reader, where));
      const first = reader.text.charAt(reader.at);
      reader.say(1);
      return unbreaking((text, tail, ended) => {
        const literal = markers.matchTail(first, text, tail, ended);
        return literal > 0 ? literal : either(literal, matchHead(here, first, text, tail, ended));
      });
    },
  };
}

/** Behind `{`: a run of backslashes, the last of which goes if a head or a marker follows. */
function unbreaking(match: (text: string, tail: number, ended: boolean) => Match): Mode {
  const mode: Mode = (reader: Reader) => {
    const { text, at, ended } = reader;
    if (text.charAt(at) !== '\\') return reader.plain;
    if (at + 1 >= text.length && !ended) return undefined;
    if (text.charAt(at + 1) === '\\') {
      reader.say(1);
      return mode;
    }
    const found = match(text, at + 1, ended);
    if (found === NOT_YET) return undefined;
    if (found === NO) reader.say(1);
    else reader.markup(1);
    return reader.plain;
  };
  return mode;
}

/** A head whose first character is given and whose rest stands at `tail`. */
function matchHead(
  heads: readonly BareHead[],
  first: string,
  text: string,
  tail: number,
  ended: boolean,
): Match {
  let result = NO;
  for (const { firsts, head } of heads) {
    if (!firsts.includes(first)) continue;
    const whole = first + text.slice(tail, tail + HEAD_LIMIT);
    result = either(result, head(whole, 0, ended || text.length >= tail + HEAD_LIMIT));
  }
  return result;
}

function either(a: Match, b: Match): Match {
  if (a > 0 || b > 0) return Math.max(a, b);
  return a === NOT_YET || b === NOT_YET ? NOT_YET : NO;
}

/** Whether a place in a whole text is the start of it, or of a line. */
function stands(text: string, at: number, where: BareHead['where']): boolean {
  if (where === 'anywhere') return true;
  if (where === 'line' && at > 0 && '\n\r'.includes(text.charAt(at - 1))) return true;
  let before = at;
  while (before > 0 && ' \t\r\n'.includes(text.charAt(before - 1))) before--;
  return before === 0;
}

function behindBreaks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === '\\') at++;
  return at;
}
