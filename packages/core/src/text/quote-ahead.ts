// Whether a quote inside a call expression ends its string. Models write quotes they should have escaped:
//
//     bash(command='sed -n '360,450p' notes.txt')
//                          ^ no            ^ no, and only the last one is followed by what can follow a value
//
// A quote ends its string where what stands behind it fits the brackets that are open. The look ahead is bounded.

import { isSpace, LOOK, NOT_YET } from './json-tokens.js';

export interface QuotePlace {
  style: 'python' | 'braces';
  /** Whether the dialect's closer stands at a place. */
  closer: (text: string, at: number, ended: boolean) => number;
  /** Closing brackets that are due, the innermost last; the first one ends the call. */
  closers: readonly string[];
  /** What may stand behind the string, beside those. */
  follow: string;
  /** A quote in this string was not escaped already. */
  doubtful: boolean;
  /** Names of arguments: one of them with `=` behind it begins the next argument, comma or not. */
  names: readonly string[];
}

export const YES = 1;
const NO = 0;
/** It ends here, and code that would have to be run goes on with it: `"a" + b`. */
export const CODE = 2;

export function quoteEnds(text: string, from: number, ended: boolean, place: QuotePlace): number {
  let at = from;
  let level = place.closers.length - 1;
  for (;;) {
    at = skipSpace(text, at, from + LOOK);
    if (at >= text.length) return ended ? YES : NOT_YET;
    if (at >= from + LOOK) return YES;
    const closed = place.closer(text, at, ended);
    if (closed !== NO) return closed === NOT_YET ? NOT_YET : YES;
    const char = text.charAt(at);
    // Behind the call nearly anything may stand, but not what shows that the string went on.
    if (level < 0) return ')}"\''.includes(char) ? NO : YES;
    if (char === place.closers[level]) {
      level--;
      at++;
    } else if (level < place.closers.length - 1) return char === ',' ? YES : NO;
    else return behindValue(text, at, ended, place, at > from);
  }
}

/** What stands right behind the quote is no closing bracket. */
function behindValue(text: string, at: number, ended: boolean, place: QuotePlace, spaced: boolean): number {
  const char = text.charAt(at);
  if (char === ',' && place.doubtful) return argumentAhead(text, at + 1, ended, place);
  if (char === ',' || place.follow.includes(char)) return YES;
  if (')]}'.includes(char)) return closerAhead(text, at + 1, ended, place);
  if (place.doubtful) return NO;
  if (place.style === 'braces') return nameAhead(text, at, ended, ':');
  // Strings that stand side by side are one.
  if (char === '"' || char === "'") return YES;
  if (char === '#' && spaced) return YES;
  const code = codeAhead(text, at, ended, spaced);
  return code !== NO || !spaced ? code : nameAhead(text, at, ended, '=', place.names);
}

/** `f(x="a"]<end>`: the wrong bracket, or one that is missing, right before the dialect's closer. */
function closerAhead(text: string, from: number, ended: boolean, { closer }: QuotePlace): number {
  const at = skipSpace(text, from, from + LOOK);
  if (at >= text.length) return ended ? NO : NOT_YET;
  const found = closer(text, at, ended);
  return found > 0 ? YES : found;
}

/** `"a" + b`, `"a" % b`, `"a".join(…)`. */
function codeAhead(text: string, at: number, ended: boolean, spaced: boolean): number {
  const char = text.charAt(at);
  if (char === '.' && !spaced) {
    const end = wordEnd(text, at + 1);
    if (end >= text.length) return ended ? NO : NOT_YET;
    return end > at + 1 && text.charAt(end) === '(' ? CODE : NO;
  }
  if (!spaced || (char !== '+' && char !== '%' && char !== '*')) return NO;
  if (at + 1 >= text.length) return ended ? NO : NOT_YET;
  return isSpace(text.charCodeAt(at + 1)) ? CODE : NO;
}

/** The next argument, whose comma is lost. */
function nameAhead(
  text: string,
  at: number,
  ended: boolean,
  behind: string,
  names?: readonly string[],
): number {
  const end = wordEnd(text, at);
  if (end >= text.length) return ended ? NO : NOT_YET;
  if (end === at || text.charAt(end) !== behind) return NO;
  return names?.includes(text.slice(at, end)) === false ? NO : YES;
}

/** Behind a comma, where quotes are not to be trusted: the next argument, or the next string. */
function argumentAhead(text: string, from: number, ended: boolean, { closers }: QuotePlace): number {
  const at = skipSpace(text, from, from + LOOK);
  if (at >= text.length) return ended ? YES : NOT_YET;
  const char = text.charAt(at);
  if (char === closers.at(-1)) return YES;
  if (closers.length > 1) return '"\'{[('.includes(char) ? YES : NO;
  const end = wordEnd(text, at);
  if (end >= text.length) return ended ? NO : NOT_YET;
  return text.charAt(end) === '=' || char === '*' ? YES : NO;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < LOOK && /\w/.test(text.charAt(at))) at++;
  return at;
}

function skipSpace(text: string, from: number, limit: number): number {
  let at = from;
  while (at < text.length && at < limit && isSpace(text.charCodeAt(at))) at++;
  return at;
}
