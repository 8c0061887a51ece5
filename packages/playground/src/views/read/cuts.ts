// Where the pieces of a stream end: as they arrived, or as a model might write them.

export type PieceUnit = 'tokens' | 'arrived' | 'characters' | 'lines';

/** Characters from which a text is not cut into words: a step would not be seen. */
const LONG = 200_000;

/**
 * Gives the next border behind a position, or the last one before it. Tokens are about what tokenizers make of prose and
 * markup: a word with the space before it, up to some characters, or a few signs.
 */
export function nextCut(
  text: string,
  at: number,
  direction: 1 | -1,
  unit: PieceUnit,
  ends: readonly number[],
): number {
  if (unit === 'characters') return at + direction;
  if (unit === 'arrived')
    return direction > 0 ? (ends.find((end) => end > at) ?? text.length) : lastBefore(ends, at);
  if (unit === 'lines') return direction > 0 ? lineEnd(text, at) : lineEnd(text, at, true);
  return direction > 0 ? at + tokenLength(text, at) : lastToken(text, at);
}

const lastBefore = (ends: readonly number[], at: number) => ends.findLast((end) => end < at) ?? 0;

function lineEnd(text: string, at: number, back = false): number {
  if (back) return at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

const TOKEN = /[ \n]?[\p{L}\p{N}_]{1,7}|[ \n]?[^\p{L}\p{N}_\s]{1,3}|\s{1,4}/uy;

function tokenLength(text: string, at: number): number {
  if (text.length > LONG) return 64;
  TOKEN.lastIndex = at;
  return TOKEN.exec(text)?.[0].length ?? 1;
}

/** From the start of a line, so that steps in both directions stop at the same places. */
function lastToken(text: string, at: number): number {
  if (text.length > LONG) return Math.max(0, at - 64);
  let place = 0;
  for (let next = 0; next < at; next += tokenLength(text, next)) place = next;
  return place;
}
