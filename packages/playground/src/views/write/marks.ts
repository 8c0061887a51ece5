// Finds the markers of a dialect in a rendered text: those in our own text (frames), those in text from outside that
// still act (forged), and those in text from outside that were broken.
//
//   <tool_call>       in our text: a frame          in text from outside: forged
//   <\tool_call>      \u003ctool_call>              broken: the reader restores them, the model sees no frame

import { type Dialect, parse, type Span } from '@dragoman/core';
import type { TextRange } from '../../parts/editor-text.js';

export interface Marks {
  frames: TextRange[];
  forged: TextRange[];
  broken: TextRange[];
}

export function findMarks({ markers }: Dialect, text: string, spans: readonly Span[]): Marks {
  const marks: Marks = { frames: [], forged: [], broken: [] };
  const firsts = new Set(markers.firsts);
  for (const { start, end, origin } of spans) {
    for (let at = start; at < end; at++) {
      const character = text.charAt(at);
      if (character === '\\' && origin === 'outside') {
        const to = escapedEnd(markers, text, at, firsts);
        if (to > at) marks.broken.push({ from: at, to });
      } else if (firsts.has(character)) {
        const tail = skipBreaks(text, at + 1);
        const length = markers.match(text, at, true, tail);
        if (length <= 0) continue;
        const to = tail + length - 1;
        const kind = tail > at + 1 ? 'broken' : origin === 'ours' ? 'frames' : 'forged';
        // A broken marker in our own text is an example in the prompt, not an escaped one.
        if (kind !== 'broken' || origin === 'outside') marks[kind].push({ from: at, to });
      }
    }
  }
  return marks;
}

/** The end of a marker whose first character is spelled `\u003c`, or -1. */
function escapedEnd(
  markers: Dialect['markers'],
  text: string,
  at: number,
  firsts: ReadonlySet<string>,
): number {
  if (text.charAt(at + 1) !== 'u') return -1;
  const hex = text.slice(at + 2, at + 6);
  if (!/^[0-9a-f]{4}$/.test(hex)) return -1;
  const first = String.fromCharCode(Number.parseInt(hex, 16));
  if (!firsts.has(first)) return -1;
  const tail = skipBreaks(text, at + 6);
  const length = markers.matchTail(first, text, tail, true);
  return length > 0 ? tail + length - 1 : -1;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === '\\') at++;
  return at;
}

/**
 * How forgery is detected in a dialect: by its markers; or, where it puts text from outside in frames that nothing
 * inside can end, by the calls that its own reader finds.
 */
export function countedAs(dialect: Dialect): 'frames' | 'calls' {
  return dialect.render.text === undefined ? 'frames' : 'calls';
}

export function countCalls(dialect: Dialect, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + parse(dialect, text).calls.length, 0);
}
