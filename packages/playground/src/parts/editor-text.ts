// What the editors of the page share: how a text is kept in one, and how it is changed.

import { selectAll } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { firstIndex } from './first-index.js';
import { textSearch } from './text-search.js';

/** Only \n ends a line: carriage returns are kept, since ranges and offsets count them. */
export const onlyLineFeeds = EditorState.lineSeparator.of('\n');

export function readOnlyText(label: string): Extension {
  return [
    onlyLineFeeds,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' }),
    // The browser would select the whole page, and copy the signs that are no part of the text.
    keymap.of([{ key: 'Mod-a', run: selectAll }]),
    textSearch(),
  ];
}

/** Gives the one change that turns `before` into `after`, without their common prefix and suffix. */
export function changeOf(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Characters of the longest line that the editor wraps quickly. */
const LONGEST_WRAPPED = 20_000;

/** Whether lines can be wrapped. One line of a megabyte would take half a second, so it scrolls instead. */
export function canWrap(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    if (end - start > LONGEST_WRAPPED) return false;
    start = end + 1;
  }
  return text.length - start <= LONGEST_WRAPPED;
}

export interface TextRange {
  from: number;
  to: number;
}

/** Gives the sorted ranges that touch the visible part. */
export function within(ranges: readonly TextRange[], from: number, to: number): readonly TextRange[] {
  const first = firstIndex(ranges.length, (at) => (ranges[at] as TextRange).to > from);
  const end = firstIndex(ranges.length, (at) => (ranges[at] as TextRange).from >= to);
  return ranges.slice(first, end);
}
