// Quoted text: a fence, or a marker in quotation marks. What stands in it opens no reasoning and no frame.
//
//   ```text            `[THINK]` begins the reasoning.
//   Thought: I look.   ^ quotedMarkers
//   ```
//   ^ quotedFence: from its first line to its last
//
// A fence that is never closed goes on to the end of the answer, as in Markdown.

import type { Opener } from '../../engine/dialect.js';
import { type Match, matchFirst, NO, NOT_YET, nextOf } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { isBreak, isHighSurrogate } from '../../text/characters.js';

type Matcher = (text: string, at: number, ended: boolean) => Match;

const INDENT = 3;
/** How many line breaks before a call are layout, and how many marks a fence may have. */
const LIMIT = 64;

/** Reads a fence as text, up to a call in it where `calls` are given: models write calls in fences, too. */
export function quotedFence(calls: readonly Opener[] = []): Opener {
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
      return firstLine(mark, firsts, begins);
    },
  };
}

function markLength(text: string, at: number): number {
  let end = at;
  while (end - at < LIMIT && text.charAt(end) === text.charAt(at)) end++;
  return end - at;
}

/** ``` | text ⏎  — a backtick in the first line ends it: it is code in a line of text, not a fence. */
function firstLine(mark: string, firsts: string, begins: Matcher): Mode {
  const lines = fencedLines(mark, firsts, begins);
  const mode: Mode = (reader) => {
    const { text, at, ended } = reader;
    const stops = mark.startsWith('`') ? '\n`' : '\n';
    for (let end = nextOf(text, stops + firsts, at); ; end = nextOf(text, stops + firsts, end + 1)) {
      const char = text.charAt(end);
      if (char === '\n') return sayBefore(reader, end, lines);
      if (char !== '' && stops.includes(char)) {
        reader.say(end + 1 - at);
        return reader.plain;
      }
      const found = char === '' ? NOT_YET : begins(text, end, ended);
      if (found === NOT_YET) return sayBefore(reader, end, undefined);
      if (found > 0) return sayBefore(reader, end, reader.plain);
    }
  };
  return mode;
}

/** ⏎ text ⏎ ```  — from a line break on. */
function fencedLines(mark: string, firsts: string, begins: Matcher): Mode {
  return (reader) => {
    const { text, at, ended } = reader;
    for (let end = nextOf(text, `\n${firsts}`, at); ; end = nextOf(text, `\n${firsts}`, end + 1)) {
      if (end >= text.length) return sayBefore(reader, end, undefined);
      const isLine = text.charAt(end) === '\n';
      const found = isLine ? closingLine(text, end + 1, ended, mark) : begins(text, end, ended);
      if (found === NOT_YET) return sayBefore(reader, end, undefined);
      if (found === NO) continue;
      if (!isLine) return sayBefore(reader, end, reader.plain);
      reader.say(end + 1 + found - at);
      return reader.plain;
    }
  };
}

/** Says the text up to `end`, but not the line breaks before it: a call may follow them. */
function sayBefore(reader: Reader, end: number, next: Mode | undefined): Mode | undefined {
  const { text, at } = reader;
  let stop = end;
  const isHalf = stop === text.length && !reader.ended && stop > at;
  if (isHalf && isHighSurrogate(text.charCodeAt(stop - 1))) stop--;
  const floor = Math.max(at, stop - LIMIT);
  while (stop > floor && isBreak(text.charCodeAt(stop - 1))) stop--;
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
