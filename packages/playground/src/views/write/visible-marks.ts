// Of many sorted ranges, those that touch what is visible. Found by halving, so a megabyte of marks costs nothing.

import type { Range } from './marks.js';

export function within(ranges: readonly Range[], from: number, to: number): readonly Range[] {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as Range).to <= from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < ranges.length && (ranges[end] as Range).from < to) end++;
  return ranges.slice(low, end);
}

/** The one change that makes `before` into `after`: what they share at both ends stays. */
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

/** Characters of a line that the editor can still fold at the edge in no time. */
const LONGEST_WRAPPED = 20_000;

/** Whether lines are folded at the edge. One line of a megabyte would take half a second: it is scrolled instead. */
export function canWrap(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    if (end - start > LONGEST_WRAPPED) return false;
    start = end + 1;
  }
  return text.length - start <= LONGEST_WRAPPED;
}
