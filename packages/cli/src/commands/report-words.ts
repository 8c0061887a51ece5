// How reports and progress write numbers, sizes, times and places.

import type { NoteCount } from '@dragoman/convert';
import { visibleLine } from '../visible-text.js';

export function megabytes(bytes: number): string {
  const value = bytes / 1e6;
  return value < 10 ? value.toFixed(1) : count(value);
}

/** Groups the digits. The first `toLocaleString` of a process loads the tables of languages, which takes 20 ms. */
export function count(value: number): string {
  let digits = String(Math.round(value));
  for (let at = digits.length - 3; at > 0; at -= 3) digits = `${digits.slice(0, at)},${digits.slice(at)}`;
  return digits;
}

export function many(number: number, word: string): string {
  return `${count(number)} ${word}${number === 1 ? '' : 's'}`;
}

/** Where a note of a report was first found. */
export function firstPlace({ row, path }: NoteCount['example']): string {
  return `first in row ${row}${path ? `, ${visibleLine(path)}` : ''}`;
}

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
