import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../../test/cost.js';
import { JsonReader } from './json.js';

/** Reads in pieces and keeps nothing, as a family passes on what is read: only the reader's own work counts. */
function drain(text: string, size: number): void {
  const reader = new JsonReader();
  reader.watch = -1;
  let window = '';
  for (let at = 0; at < text.length && !reader.failure; at += size) {
    window += text.slice(at, at + size);
    window = window.slice(reader.read(window, 0, false));
    reader.take();
    if (reader.hasNotes) reader.repairs.length = 0;
  }
}

/** How many times longer twice the text takes. */
function growth(size: number, flood: (count: number) => string): number {
  const [small, large] = [flood(2500), flood(20_000)];
  return growthOf(
    () => drain(large, size),
    () => drain(small, size),
    2.5,
  );
}

type Flood = [name: string, write: (count: number) => string];
const floods: Flood[] = [
  ...['"', '"a', '" ', '",', "'", '\\', '/', ',', '[', '{"a":', '"x" "', `"${' '.repeat(40)}`].map(
    (piece): Flood => [`["${piece}`, (count) => `["${piece.repeat(count)}`],
  ),
  ['a string', (count) => `"${'x'.repeat(count)}"`],
  ['escapes', (count) => `"${'\\n\\u0041'.repeat(count)}"`],
  ['line breaks in quotes', (count) => `"${'\n'.repeat(count)}"`],
  ['strings', (count) => `[${'"a",'.repeat(count)}]`],
  ['keys', (count) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1,`).join('')}}`],
  ['comments', (count) => `[1${'/**/\n'.repeat(count)}]`],
  ['missing commas', (count) => `[${'1\n'.repeat(count)}]`],
  ['extra brackets', (count) => `{${']'.repeat(count)}`],
  ['white space', (count) => `[${' '.repeat(count)}]`],
];

describe('time grows no faster than the text', () => {
  it.each(floods)('in large pieces: %s', (_, flood) => {
    expect(growth(4096, flood)).toBeLessThan(2.5);
  });

  it.each(floods)('in single characters: %s', (_, flood) => {
    expect(growth(1, flood)).toBeLessThan(2.5);
  });
});
