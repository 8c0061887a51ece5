// Escapes text of a conversation that would read as a frame, in a form whose frames are text, too.
//
//     <tool_call>   as text is written   <\tool_call>   and read as   <tool_call>   again
//
// The escape is that of engine/markers.ts: a backslash after the first character, and one more for text that looks
// escaped already, so that every text is restored. Published forms have no such escape: other readers will see the
// backslash, so it is noted as an issue (`frame-text`). It is no loss, because we read it back.

import type { Note } from './form.js';

/** Whether the character at `at`, followed by the text from `tail` on, begins a frame. */
type Frame = (text: string, at: number, tail: number) => boolean;

export interface Frames {
  /** The first characters of all frames. */
  firsts: string;
  acts: Frame;
}

const BREAK = '\\';

/** Escapes text for writing between frames, with a note if it was changed. */
export function writeText(text: string, frames: Frames, path: string, notes: Note[]): string {
  const written = breakFrames(text, frames);
  if (written !== text) notes.push({ kind: 'issue', code: 'frame-text', path });
  return written;
}

/** Escapes frames. Text without a frame stays the same. */
function breakFrames(text: string, frames: Frames): string {
  return rewrite(text, frames, (from, at) => `${text.slice(from, at + 1)}${BREAK}`, 0);
}

/** Undoes `writeText`. A removed backslash is noted: it may have been part of the text. */
export function readText(text: string, frames: Frames, path: string, notes: Note[]): string {
  if (!text.includes(BREAK)) return text;
  const read = rewrite(text, frames, (from, at) => text.slice(from, at + 1), 1);
  if (read !== text) notes.push({ kind: 'repair', code: 'broken-frame', path });
  return read;
}

/** Rewrites each frame that is escaped at least `breaks` times: cuts it after its first character and those escapes. */
function rewrite(
  text: string,
  { firsts, acts }: Frames,
  write: (from: number, at: number) => string,
  breaks: number,
): string {
  let out = '';
  let done = 0;
  for (let at = nextFirst(text, firsts, 0); at < text.length; at = nextFirst(text, firsts, at + 1)) {
    let tail = at + 1;
    while (text.startsWith(BREAK, tail)) tail += 1;
    if (tail - at - 1 < breaks || !acts(text, at, tail)) continue;
    out += write(done, at);
    done = at + 1 + breaks;
  }
  return done === 0 ? text : out + text.slice(done);
}

function nextFirst(text: string, firsts: string, from: number): number {
  if (firsts.length === 1) {
    const found = text.indexOf(firsts, from);
    return found < 0 ? text.length : found;
  }
  let at = from;
  while (at < text.length && !firsts.includes(text.charAt(at))) at += 1;
  return at;
}
