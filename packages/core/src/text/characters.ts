// What several readers share: the results of a match, literals, and classes of characters.

export { isHighSurrogate } from '../model/surrogates.js';

/** The result of a match: its length, NO (0), or NOT_YET if more text is needed to decide. */
export type Match = number;
export const NOT_YET = -1;
export const NO = 0;

export function matchLiteral(text: string, at: number, literal: string, ended: boolean): Match {
  // Compare the second and third character first: they rule out most candidates, because many markers share their first.
  if (at + 1 < text.length && text.charCodeAt(at + 1) !== literal.charCodeAt(1) && literal.length > 1)
    return NO;
  if (at + 2 < text.length && text.charCodeAt(at + 2) !== literal.charCodeAt(2) && literal.length > 2)
    return NO;
  if (text.startsWith(literal, at)) return literal.length;
  if (ended || text.length - at >= literal.length) return NO;
  return literal.startsWith(text.slice(at)) ? NOT_YET : NO;
}

/** Matches the first of these literals that is at a position. */
export function matchFirst(text: string, at: number, literals: readonly string[], ended: boolean): Match {
  let result = NO;
  for (const literal of literals) {
    const found = matchLiteral(text, at, literal, ended);
    if (found > 0) return found;
    if (found === NOT_YET) result = NOT_YET;
  }
  return result;
}

export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/** Whether this is the white space that models put between markup: space, tab, line break. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || isBreak(code);
}

/** Gives the end of the white space at `from`; not beyond `limit`. */
export function spaceEnd(text: string, from: number, limit = text.length): number {
  let end = from;
  while (end < text.length && end < limit && isSpace(text.charCodeAt(end))) end++;
  return end;
}

/** Finds the next of the characters `firsts` at or after `from`, or gives the text's length. */
export function nextOf(text: string, firsts: string, from: number): number {
  if (firsts.length === 1) {
    const found = text.indexOf(firsts, from);
    return found < 0 ? text.length : found;
  }
  // Chunks of a stream are mostly short: one pass is faster than one `indexOf` for each character.
  const a = firsts.charCodeAt(0);
  const b = firsts.charCodeAt(1);
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === a || code === b || (firsts.length > 2 && firsts.includes(text.charAt(at)))) return at;
  }
  return text.length;
}
