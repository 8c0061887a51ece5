// Recognises JSON calls without a marker of their own: in a code fence, or bare. Both are common in prose, so they
// count only where a call may begin and if they begin like a call.
//
//   ```json\n{"name" …      {"name" …      [{"name" …

import type { Opener } from '../../engine/dialect.js';
import { matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Reader } from '../../engine/reader.js';
import { spaceEnd } from '../../text/characters.js';
import { callHead } from './call-heads.js';
import { type EnvelopeKeys, firstKeys } from './json-envelope.js';
import { FENCE, type JsonInMarkers, plainOpener, SPACE_LIMIT } from './json-in-markers.js';

/** Gives the openers of a declaration. Markers count anywhere; fences and words only before what begins like a call. */
export function jsonOpeners(spelling: JsonInMarkers): Opener[] {
  const opens = typeof spelling.open === 'string' ? [spelling.open] : spelling.open;
  return opens.map((open) => {
    if (open.startsWith(FENCE)) return fenceOpener(spelling, open);
    return open.endsWith('[') ? listOpener(spelling, open) : plainOpener(spelling, open);
  });
}

/** Opens at a word with its list, `functools[`. It is common in prose, so it counts only before a call. */
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

/** Opens at a code fence. It is common in prose, so it counts only at a line's beginning and before a call. */
function fenceOpener(spelling: JsonInMarkers, open: string): Opener {
  const careful = { ...spelling, careful: true };
  return {
    firsts: open.charAt(0),
    match: callHead(open, headKeys(spelling.keys)),
    open: (reader, hold) =>
      mayBegin(reader, 'line') ? plainOpener(careful, open).open(reader, hold) : hold.reject(),
  };
}

/** Opens at JSON without a marker: at the start of an answer, or (`line`) of a line. */
export function bareJson(spelling: JsonInMarkers, where: 'answer' | 'line'): Opener {
  const careful = { ...spelling, close: [], careful: true };
  return {
    firsts: '{[',
    match: callHead('', headKeys(spelling.keys), spelling.list),
    open: (reader, hold) =>
      mayBegin(reader, where) ? plainOpener(careful, '').open(reader, hold) : hold.reject(),
  };
}

/** Whether the reader is at the start of the answer, or of a line. The line breaks before it were just read. */
export function mayBegin(reader: Reader, where: 'answer' | 'line'): boolean {
  if (reader.voice !== 'text') return false;
  const before = reader.text.charAt(reader.at - 1);
  return reader.silent || (where === 'line' && (before === '\n' || before === '\r'));
}

/** Lists the keys with which a call may begin. */
export function headKeys({ name, arguments: args, id = [] }: EnvelopeKeys): string[] {
  return [...new Set([...name, ...args, ...id, ...firstKeys()])];
}
