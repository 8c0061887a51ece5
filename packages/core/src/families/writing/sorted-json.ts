// Writes JSON with the members of every object sorted by key, as templates with `dictsort` do: case-insensitive,
// compact, lists in their own order.

import { type ExactValue, exactEntries, stringifyJson } from '../../model/index.js';
import { isRecord } from './tool-text.js';

export function sortedJson(value: ExactValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isRecord(value)) return stringifyJson(value, 'python');
  const members = sortedMembers(exactEntries(value));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sortedJson(member)}`).join(',')}}`;
}

/** Sorts as Python does: by code points; keys that differ only in case keep their order. */
export function sortedMembers<T>(members: readonly [key: string, value: T][]): [key: string, value: T][] {
  const folded = members.map((member) => ({ member, key: [...member[0].toLowerCase()] }));
  return folded.sort((a, b) => comparePoints(a.key, b.key)).map(({ member }) => member);
}

function comparePoints(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  if (at === end) return a.length - b.length;
  return (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
}
