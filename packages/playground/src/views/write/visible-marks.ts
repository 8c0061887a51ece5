// Finds the sorted ranges that touch the visible part, by binary search.

import type { MarkRange } from './marks.js';

export function within(ranges: readonly MarkRange[], from: number, to: number): readonly MarkRange[] {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as MarkRange).to <= from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < ranges.length && (ranges[end] as MarkRange).from < to) end++;
  return ranges.slice(low, end);
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
