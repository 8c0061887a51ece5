import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextRange } from '../../parts/editor-text.js';
import { diffWords } from './word-diff.js';

/** What is left of a text without these ranges. */
function without(text: string, ranges: readonly TextRange[]): string {
  let out = '';
  let at = 0;
  for (const { from, to } of ranges) {
    out += text.slice(at, from);
    at = to;
  }
  return out + text.slice(at);
}

const cut = (text: string, ranges: readonly TextRange[]) =>
  ranges.map(({ from, to }) => text.slice(from, to));

describe('diffWords', () => {
  it('marks the words that only one side has', () => {
    const left = 'The quick brown fox jumps.';
    const right = 'The quick red fox jumps high.';
    const diff = diffWords(left, right);
    expect(cut(left, diff.left)).toEqual(['brown']);
    expect(cut(right, diff.right)).toEqual(['red', ' high']);
    expect(diff.shared).toBeGreaterThan(0.6);
  });

  it('has nothing to say of equal texts', () => {
    expect(diffWords('a b', 'a b')).toMatchObject({ left: [], right: [], shared: 1 });
    expect(diffWords('', '')).toMatchObject({ left: [], right: [], shared: 1 });
  });

  it('shares nothing between texts that have nothing in common', () => {
    expect(diffWords('abc', 'xyz').shared).toBe(0);
    expect(diffWords('abc', '').left).toEqual([{ from: 0, to: 3 }]);
  });

  it('leaves the same text on both sides once the marked words are taken out', () => {
    const word = fc.constantFrom('a', 'b', 'c', ' ', '<x>', '\n', 'longer', 'ü', '😀', '\ud83d', '.');
    const text = fc.array(word, { maxLength: 200 }).map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const diff = diffWords(left, right);
        expect(without(left, diff.left)).toBe(without(right, diff.right));
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('finds a block that was put in, however long', () => {
    const lines = Array.from({ length: 2000 }, (_, n) => `line ${n}`);
    const left = lines.join('\n');
    const right = lines.toSpliced(700, 0, ...lines.map((line) => `new ${line}x`)).join('\n');
    const diff = diffWords(left, right);
    expect(diff.left).toEqual([]);
    expect(diff.shared).toBeGreaterThan(0.3);
  });

  it('looks at each word a bounded number of times, also where all words are alike', () => {
    const words = (count: number, every: number) =>
      Array.from({ length: count }, (_, n) => (n % every === 0 ? 'x' : 'y')).join(' ');
    for (const count of [1_000, 10_000, 100_000])
      expect(diffWords(words(count, 3), words(count, 4)).steps / (2 * count)).toBeLessThan(150);
  });
});
