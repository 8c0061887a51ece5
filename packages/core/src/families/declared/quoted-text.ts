// Quoted text: a fence, or a marker in quotation marks. What stands in it opens no reasoning and no frame.
//
//   ```text            `[THINK]` begins the reasoning.
//   Thought: I look.   ^ quotedMarkers
//   ```
//   ^ quotedFence: from its first line to its last
//
// A fence that is never closed goes on to the end of the answer, as in Markdown.

import type { Opener } from '../../engine/dialect.js';
import { type MarkerSet, type Match, matchFirst, NO, NOT_YET, nextOf } from '../../engine/markers.js';
import { type Mode, type Reader, unbreaking } from '../../engine/reader.js';
import { isBreak, isHighSurrogate } from '../../text/characters.js';

type Matcher = (text: string, at: number, ended: boolean) => Match;

const INDENT = 3;
/** How many line breaks before a call are layout, and how many marks a fence may have. */
const LIMIT = 64;

/** What a fence is read with. */
interface Fence {
  mark: string;
  /** What may end it besides its last line, and with which characters that begins. */
  ends: Matcher;
  firsts: string;
  markers: MarkerSet;
  /** The last character written to the output. */
  before: string;
}

/**
 * Reads a fence as text, up to a call in it where `calls` are given: models write calls in fences, too. In reasoning it
 * goes no further than the end of that, `close`. Markers that were broken for a prompt are restored.
 */
export function quotedFence(markers: MarkerSet, calls: readonly Opener[] = [], close?: string): Opener {
  const firsts = [...new Set(calls.map((call) => call.firsts).join(''))].join('');
  const begins: Matcher = (text, at, ended) => {
    let undecided = false;
    for (const call of calls) {
      const found = call.match(text, at, ended);
      if (found > 0) return found;
      undecided ||= found === NOT_YET;
    }
    return undecided ? NOT_YET : NO;
  };
  const beginsOrCloses: Matcher = (text, at, ended) => {
    const found = matchFirst(text, at, [close as string], ended);
    return found === NO ? begins(text, at, ended) : found;
  };
  return {
    firsts: '`~',
    next: ['``', '~~'],
    inline: true,
    line: true,
    message: 'quoted',
    match: (text, at, ended) => matchFirst(text, at, ['```', '~~~'], ended),
    open: () => (reader) => {
      const length = markLength(reader.text, reader.at);
      if (reader.at + length >= reader.text.length && !reader.ended) return undefined;
      const mark = reader.text.slice(reader.at, reader.at + length);
      reader.say(length);
      const isText = reader.voice === 'text';
      const { said = markers } = markers;
      return close === undefined || isText
        ? firstLine({ mark, firsts, ends: begins, markers: isText ? said : markers, before: '' })
        : firstLine({ mark, firsts: firsts + close.charAt(0), ends: beginsOrCloses, markers, before: '' });
    },
  };
}

function markLength(text: string, at: number): number {
  let end = at;
  while (end - at < LIMIT && text.charAt(end) === text.charAt(at)) end++;
  return end - at;
}

/** ``` | text ⏎  — a backtick in the first line ends it: it is code in a line of text, not a fence. */
function firstLine(fence: Fence): Mode {
  const lines = fencedLines(fence);
  const stops = fence.mark.startsWith('`') ? '\n`' : '\n';
  const chars = `${stops}\\${fence.firsts}`;
  const mode: Mode = (reader) => {
    const { text, at, ended } = reader;
    for (let end = nextOf(text, chars, at); ; end = nextOf(text, chars, end + 1)) {
      const char = text.charAt(end);
      if (char === '\n') return sayBefore(reader, fence, end, lines);
      if (char === '\\') {
        const restored = restoring(reader, fence, end, mode);
        if (restored) return restored;
        continue;
      }
      if (char !== '' && stops.includes(char)) {
        reader.say(end + 1 - at);
        return reader.plain;
      }
      const found = char === '' ? NOT_YET : fence.ends(text, end, ended);
      if (found === NOT_YET) return sayBefore(reader, fence, end, undefined);
      if (found > 0) return sayBefore(reader, fence, end, reader.plain);
    }
  };
  return mode;
}

/** ⏎ text ⏎ ```  — from a line break on. */
function fencedLines(fence: Fence): Mode {
  const chars = `\n\\${fence.firsts}`;
  const mode: Mode = (reader) => {
    const { text, at, ended } = reader;
    for (let end = nextOf(text, chars, at); ; end = nextOf(text, chars, end + 1)) {
      if (end >= text.length) return sayBefore(reader, fence, end, undefined);
      const char = text.charAt(end);
      if (char === '\\') {
        const restored = restoring(reader, fence, end, mode);
        if (restored) return restored;
        continue;
      }
      const isLine = char === '\n';
      const found = isLine ? closingLine(text, end + 1, ended, fence.mark) : fence.ends(text, end, ended);
      if (found === NOT_YET) return sayBefore(reader, fence, end, undefined);
      if (found === NO) continue;
      if (!isLine) return sayBefore(reader, fence, end, reader.plain);
      reader.say(end + 1 + found - at);
      return reader.plain;
    }
  };
  return mode;
}

/** Says the text up to a backslash that may break a marker, and reads that. */
function restoring(reader: Reader, fence: Fence, end: number, back: Mode): Mode | undefined {
  const { text, at } = reader;
  const first = end > at ? text.charAt(end - 1) : fence.before;
  if (first === '' || !fence.markers.firsts.includes(first)) return undefined;
  reader.say(end - at);
  fence.before = '';
  return unbreaking((window, tail, ended) => fence.markers.matchTail(first, window, tail, ended), back);
}

/** Says the text up to `end`, but not the line breaks before it: a call may follow them. */
function sayBefore(reader: Reader, fence: Fence, end: number, next: Mode | undefined): Mode | undefined {
  const { text, at } = reader;
  let stop = end;
  const isHalf = stop === text.length && !reader.ended && stop > at;
  if (isHalf && isHighSurrogate(text.charCodeAt(stop - 1))) stop--;
  const floor = Math.max(at, stop - LIMIT);
  while (stop > floor && isBreak(text.charCodeAt(stop - 1))) stop--;
  if (stop > at) fence.before = text.charAt(stop - 1);
  reader.say(stop - at);
  return next;
}

/** Matches the line that closes a fence: as many marks, and nothing else. */
function closingLine(text: string, from: number, ended: boolean, mark: string): Match {
  let at = from;
  while (at - from < INDENT && text.charAt(at) === ' ') at++;
  const length = text.charAt(at) === mark.charAt(0) ? markLength(text, at) : 0;
  at += length;
  const end = at;
  while (at - end < LIMIT && ' \t\r'.includes(text.charAt(at) || '-')) at++;
  if (at >= text.length && !ended)
    return mark.startsWith(text.slice(at - length, at)) || length > 0 ? NOT_YET : NO;
  if (length < mark.length) return NO;
  return at >= text.length || text.charAt(at) === '\n' ? end - from : NO;
}

/** Reads a marker of reasoning behind a quotation mark as text, and its closer, too. */
export function quotedMarkers(markers: readonly string[]): Opener[] {
  const match: Matcher = (text, at, ended) => {
    const found = at + 1 < text.length ? matchFirst(text, at + 1, markers, ended) : ended ? NO : NOT_YET;
    return found > 0 ? found + 1 : found;
  };
  return [
    {
      firsts: '`"\'(',
      next: markers.map((marker) => marker.slice(0, 2)),
      inline: true,
      message: 'quoted',
      match,
      open: (reader) => {
        reader.say(match(reader.text, reader.at, reader.ended));
        if (reader.voice === 'text') reader.mentionsReasoning = true;
        return reader.plain;
      },
    },
  ];
}
