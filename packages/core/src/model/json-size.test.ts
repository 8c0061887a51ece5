import { describe, expect, it } from 'vitest';
import { exceeded, JsonSize } from './json-size.js';

function sizeOf(text: string, piece = text.length || 1): [elements: number, levels: number] {
  const size = new JsonSize();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += piece) size.add(bytes.subarray(at, at + piece));
  return [size.elements, size.levels];
}

/** Items and members, and one for each list and object: what the count is, by the value itself. */
function counted(value: unknown): [elements: number, levels: number] {
  if (typeof value !== 'object' || value === null) return [0, 0];
  const inside = Object.values(value).map(counted);
  const elements = inside.reduce((sum, [one]) => sum + one, 1 + Math.max(0, inside.length - 1));
  return [elements, 1 + Math.max(0, ...inside.map(([, levels]) => levels))];
}

const values: unknown[] = [
  1,
  'a,b[{',
  [],
  {},
  [[], [[]], {}],
  { a: [1, 2, { b: '"],[' }], 'k"\\': '\\', c: '\\\\"', d: ['\\"', '\\\\'] },
  [{ text: 'x\\'.repeat(9) }, { text: '你"好' }],
  ['x'.repeat(15), 'x'.repeat(16), 'x'.repeat(17), `${'x'.repeat(40)}"${'y'.repeat(40)}\\`, 1],
  [`${'x'.repeat(30)}\\\\"${'\\'.repeat(33)}`, `${'"'.repeat(40)},`, [['[', '{']]],
];

describe('the size of a JSON text', () => {
  it.each(values.map((value) => [JSON.stringify(value), value]))(
    'of %s is that of its value',
    (text, value) => {
      expect(sizeOf(text as string)).toEqual(counted(value));
    },
  );

  it('is the same for every cutting, also inside of escapes', () => {
    for (const value of values) {
      const text = JSON.stringify(value);
      for (let piece = 1; piece < text.length; piece++) expect(sizeOf(text, piece)).toEqual(sizeOf(text));
    }
  });

  it('exceeds the limit of elements, or of levels, by one more than it allows', () => {
    const limits = { elements: 10, levels: 4 };
    expect(exceeded(`[${Array(10).fill('1').join()}]`, limits)).toBeUndefined();
    expect(exceeded(`[${Array(11).fill('1').join()}]`, limits)).toBe('elements');
    expect(exceeded('[[[["[[,,,,,,,,,,,,,,,"]]]]', limits)).toBeUndefined();
    expect(exceeded('[[[[[]]]]]', limits)).toBe('levels');
  });
});
