// Decides whether a quote inside a call expression ends its string. Models write quotes they should have escaped:
//
//     bash(command='sed -n '360,450p' notes.txt')
//                          ^ no            ^ no, and only the last one is followed by what can follow a value
//
// A quote ends its string if the text after it fits the open brackets. The lookahead is bounded.

import { NO, NOT_YET } from './characters.js';
import { blankEnd, isSpace, LOOK } from './json-tokens.js';

export interface QuotePlace {
  style: 'python' | 'braces';
  /** Matches the dialect's closing marker at a position. */
  closer: (text: string, at: number, ended: boolean) => number;
  /** The closing brackets of the open brackets, the innermost last; the first one ends the call. */
  closers: readonly string[];
  /** Other characters that may follow the string. */
  follow: string;
  /** The string already contains an unescaped quote. */
  doubtful: boolean;
  /** Parameter names: one of them followed by `=` begins the next argument, even without a comma. */
  names: readonly string[];
}

export const YES = 1;
/** The string ends here, but code that would have to be run follows: `"a" + b`. */
export const CODE = 2;

export function quoteEnds(text: string, from: number, ended: boolean, place: QuotePlace): number {
  let at = from;
  let level = place.closers.length - 1;
  for (;;) {
    at = blankEnd(text, at, from + LOOK);
    if (at >= text.length) return ended ? YES : NOT_YET;
    if (at >= from + LOOK) return YES;
    const closed = place.closer(text, at, ended);
    if (closed !== NO) return closed === NOT_YET ? NOT_YET : YES;
    const char = text.charAt(at);
    // Nearly anything may follow the call, except a quote, or a bracket that does not end the block: then the string was
    // not over.
    if (level < 0)
      return `"'`.includes(char) ? NO : ')}'.includes(char) ? closerAhead(text, at, ended, place) : YES;
    if (char === place.closers[level]) {
      level--;
      at++;
    } else if (level < place.closers.length - 1) return char === ',' ? YES : NO;
    else return behindValue(text, at, ended, place, at > from);
  }
}

/** Decides by the character after the quote, which is not the closing bracket of the innermost open one. */
function behindValue(text: string, at: number, ended: boolean, place: QuotePlace, spaced: boolean): number {
  const char = text.charAt(at);
  if (char === ',' && place.doubtful) return argumentAhead(text, at + 1, ended, place);
  if (char === ',' || place.follow.includes(char)) return YES;
  if (')]}'.includes(char)) return closerAhead(text, at, ended, place);
  if (place.doubtful) return NO;
  if (place.style === 'braces') return nameAhead(text, at, ended, ':');
  // Adjacent strings are one string.
  if (char === '"' || char === "'") return YES;
  if (char === '#' && spaced) return YES;
  const code = codeAhead(text, at, ended, spaced);
  return code !== NO || !spaced ? code : nameAhead(text, at, ended, '=', place.names);
}

/** Whether the dialect's closing marker follows wrong brackets: `f(x="a"])<end>`. */
function closerAhead(text: string, from: number, ended: boolean, { closer }: QuotePlace): number {
  let at = from;
  while (at < from + LOOK && ' \t\r\n)]}'.includes(text.charAt(at) || '-')) at++;
  if (at >= text.length) return ended ? NO : NOT_YET;
  const found = closer(text, at, ended);
  return found > 0 ? YES : found;
}

/** Whether an expression continues the string: `"a" + b`, `"a" % b`, `"a".join(…)`. */
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

/** Whether the name of the next argument follows without a comma. */
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

/** Whether the next argument or list element follows a comma, in a string that has unescaped quotes. */
function argumentAhead(text: string, from: number, ended: boolean, { closers }: QuotePlace): number {
  const at = blankEnd(text, from, from + LOOK);
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
