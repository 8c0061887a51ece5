// Text of a conversation in a form whose frames are text, too: what would read as a frame is broken.
//
//     <tool_call>   as text is written   <\tool_call>   and read as   <tool_call>   again
//
// The break is the one of engine/markers.ts: a backslash behind the first character, one more for text that looks
// broken already, so that every text comes back. Published forms know no such escape: other readers will see the
// backslash, so a break is noted, as an issue (`frame-text`). It is no loss, because we read it back.

import type { Note } from './form.js';

/** Whether the character at `at`, with the text from `tail` on behind it, begins a frame. */
type Frame = (text: string, at: number, tail: number) => boolean;

export interface Frames {
  /** The first characters of all frames. */
  firsts: string;
  acts: Frame;
}

const BREAK = '\\';

/** As it can be written between frames, with a note where that is not as it was. */
export function writeText(text: string, frames: Frames, path: string, notes: Note[]): string {
  const written = breakFrames(text, frames);
  if (written !== text) notes.push({ kind: 'issue', code: 'frame-text', path });
  return written;
}

/** The identity on text that holds no frame. */
function breakFrames(text: string, frames: Frames): string {
  return rewrite(text, frames, (from, at) => `${text.slice(from, at + 1)}${BREAK}`, 0);
}

/** As it was before `writeText`. A backslash that is taken off is noted: it may have been another's. */
export function readText(text: string, frames: Frames, path: string, notes: Note[]): string {
  if (!text.includes(BREAK)) return text;
  const read = rewrite(text, frames, (from, at) => text.slice(from, at + 1), 1);
  if (read !== text) notes.push({ kind: 'repair', code: 'broken-frame', path });
  return read;
}

/** Each frame that is broken `breaks` times or more is cut behind its first character and those breaks. */
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
