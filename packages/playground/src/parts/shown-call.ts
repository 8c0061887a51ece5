// Text of calls as a person can judge it, as the terminal shows it: no character hides, and nothing stands far from what
// is looked at.

import { extentOf, foldBlanks, spellHidden } from '@dragoman/core/agent';
import { unquoted } from './json-tree.js';

export const shownText = (text: string) => foldBlanks(spellHidden(text));

/** A name or a key, in one line. */
export const shownName = (name: string) => shownText(name).replaceAll('\n', '⏎');

/** A text of more lines is described before it is shown. */
const MANY_LINES = 8;

export interface ShownString {
  text: string;
  /** It is shown as a file, in several lines. */
  lines?: true;
  /** How many lines there are, the first and the last. */
  extent?: string;
}

/**
 * A JSON string: as it is written, or without quotes and escapes where it has several lines. Its text is that of the first
 * `most` characters as they are written; its lines, the first and the last are those of the whole string.
 */
export function shownString(written: string, closed: boolean, most = written.length): ShownString {
  const whole = unquoted(written, closed);
  const lines = whole.split('\n').length;
  const isWhole = most >= written.length;
  if (lines === 1) return { text: shownText(written.slice(0, most)) };
  const text = isWhole ? whole : unquoted(written.slice(0, most), false);
  return { text: shownText(text), lines: true, ...(lines > MANY_LINES && { extent: extentOf(whole) }) };
}
