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

/** A JSON string: as it is written, or without quotes and escapes where it has several lines. */
export function shownString(written: string, closed: boolean): ShownString {
  const text = unquoted(written, closed);
  const lines = text.split('\n').length;
  if (lines === 1) return { text: shownText(written) };
  return { text: shownText(text), lines: true, ...(lines > MANY_LINES && { extent: extentOf(text) }) };
}
