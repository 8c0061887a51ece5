// JSON that no marker of its own announces: in a fence, or bare. Common in prose, so it counts only where a call may begin
// and with the head of one.
//
//   ```json\n{"name" …      {"name" …      [{"name" …

import type { Opener } from '../../engine/dialect.js';
import { matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Reader } from '../../engine/reader.js';
import { callHead } from './call-heads.js';
import { type EnvelopeKeys, FIRST_KEYS } from './json-envelope.js';
import { FENCE, type JsonInMarkers, plainOpener, SPACE_LIMIT, spaceEnd } from './json-in-markers.js';

/** The openers of a declaration: markers as they are, fences and words with care. */
export function jsonOpeners(spelling: JsonInMarkers): Opener[] {
  const opens = typeof spelling.open === 'string' ? [spelling.open] : spelling.open;
  return opens.map((open) => {
    if (open.startsWith(FENCE)) return fenceOpener(spelling, open);
    return open.endsWith('[') ? listOpener(spelling, open) : plainOpener(spelling, open);
  });
}

/** A word that opens together with its list, `functools[`, is common in prose: it counts only before a call. */
function listOpener(spelling: JsonInMarkers, open: string): Opener {
  return {
    ...plainOpener(spelling, open),
    match(text, at, ended) {
      const length = matchLiteral(text, at, open, ended);
      if (length <= 0) return length;
      const next = spaceEnd(text, at + length, at + length + SPACE_LIMIT);
      if (next >= text.length) return ended ? length : NOT_YET;
      return '{]'.includes(text.charAt(next)) ? length : NO;
    },
  };
}

/** A fence is common in prose: it counts at a line's beginning and with the head of a call behind it. */
function fenceOpener(spelling: JsonInMarkers, open: string): Opener {
  const careful = { ...spelling, careful: true };
  return {
    firsts: open.charAt(0),
    match: callHead(open, headKeys(spelling.keys)),
    open: (reader, hold) =>
      mayBegin(reader, 'line') ? plainOpener(careful, open).open(reader, hold) : hold.reject(),
  };
}

/** JSON that nothing announces: at the start of an answer, or (`line`) of a line. */
export function bareJson(spelling: JsonInMarkers, where: 'answer' | 'line'): Opener {
  const careful = { ...spelling, close: [], careful: true };
  return {
    firsts: '{[',
    match: callHead('', headKeys(spelling.keys), spelling.list),
    open: (reader, hold) =>
      mayBegin(reader, where) ? plainOpener(careful, '').open(reader, hold) : hold.reject(),
  };
}

/** Whether what stands here is the first of the answer, or of its line. The breaks before it were just passed. */
export function mayBegin(reader: Reader, where: 'answer' | 'line'): boolean {
  if (reader.voice !== 'text') return false;
  const before = reader.text.charAt(reader.at - 1);
  return reader.silent || (where === 'line' && (before === '\n' || before === '\r'));
}

/** The keys with which a call may begin. */
export function headKeys({ name, arguments: args, id = [] }: EnvelopeKeys): string[] {
  return [...new Set([...name, ...args, ...id, ...FIRST_KEYS])];
}
