import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.js';

const marked = (before: string, after: string) =>
  diffLines(before, after)?.map(({ kind, text, marks }) => [
    kind,
    text,
    ...marks.map(([start, end]) => text.slice(start, end)),
  ]);

describe('a difference', () => {
  it('keeps the lines that stay, and marks the words that change', () => {
    expect(marked('<a>\n{"x": 1,}\n</a>', '<a>\n{"x": 1}\n</a>')).toEqual([
      ['same', '<a>'],
      ['old', '{"x": 1,}', ','],
      ['new', '{"x": 1}'],
      ['same', '</a>'],
    ]);
  });

  it('looks over line breaks for what stayed', () => {
    expect(marked('<a>{x}</a>', '<a>\n{"x"}\n</a>')).toEqual([
      ['old', '<a>{x}</a>'],
      ['new', '<a>'],
      ['new', '{"x"}', '"', '"'],
      ['new', '</a>'],
    ]);
  });

  it('gives both texts back', () => {
    const [before, after] = ['a\nb\nc\nd', 'b\nx\nd\ne'];
    const lines = diffLines(before, after) ?? [];
    const of = (kind: string) => lines.filter((line) => line.kind === 'same' || line.kind === kind);
    expect(
      of('old')
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(before);
    expect(
      of('new')
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(after);
  });

  it('is not made of long texts', () => {
    expect(diffLines('x'.repeat(5000), 'y')).toBeUndefined();
    expect(diffLines('x\n'.repeat(100), 'y')).toBeUndefined();
  });
});
