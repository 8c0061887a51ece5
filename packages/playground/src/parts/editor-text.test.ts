import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canWrap, changeOf, within } from './editor-text.js';

it('within gives the ranges that touch what is visible, and no other', () => {
  const gaps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 5 })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(gaps, fc.nat(200), fc.nat(60), (drawn, from, length) => {
      let at = 0;
      const ranges = drawn.map(([gap, size]) => {
        const range = { from: at + gap, to: at + gap + size };
        at = range.to;
        return range;
      });
      const to = from + length;
      expect(within(ranges, from, to)).toEqual(ranges.filter((range) => range.to > from && range.from < to));
    }),
    { seed: 6, numRuns: 500 },
  );
});

it('changeOf makes one text into the other with one change', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { from, to, insert } = changeOf(before, after);
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
    }),
    { seed: 6, numRuns: 500 },
  );
  expect(changeOf('one two', 'one 2 two')).toEqual({ from: 4, to: 4, insert: '2 ' });
});

it('canWrap is false where a line is too long, wherever it stands', () => {
  const long = 'x'.repeat(20_001);
  expect([`${long}\na`, `a\n${long}`, `a\n${long}\nb`].map(canWrap)).toEqual([false, false, false]);
  expect(['', 'a\n\nb', `${'x'.repeat(20_000)}\n`.repeat(9)].map(canWrap)).toEqual([true, true, true]);
});
