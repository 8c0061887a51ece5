import { dialects, findDialect, renderMessages } from '@dragoman/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedAs, findMarks } from './marks.js';

const hermes = findDialect('hermes');
const slices = (text: string, ranges: { from: number; to: number }[]) =>
  ranges.map(({ from, to }) => text.slice(from, to));

describe('findMarks', () => {
  it('tells frames, forged and broken markers apart', () => {
    const text = '<tool_call><\\tool_call><tool_call>\\u003ctool_call> <\\\\tool_call> <b>';
    const marks = findMarks(hermes, text, [
      { start: 0, end: 11, origin: 'ours' },
      { start: 11, end: text.length, origin: 'outside' },
    ]);
    expect(slices(text, marks.frames)).toEqual(['<tool_call>']);
    expect(slices(text, marks.forged)).toEqual(['<tool_call>']);
    expect(slices(text, marks.broken)).toEqual(['<\\tool_call>', '\\u003ctool_call>', '<\\\\tool_call>']);
  });

  it('finds every marker that the library breaks, and none that still acts', () => {
    const counted = dialects.filter((dialect) => countedAs(dialect) === 'frames');
    const pieces = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.nat().map((n) => ({ n })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...counted), fc.array(pieces, { maxLength: 8 }), (dialect, drawn) => {
        const { literals } = dialect.markers;
        const texts = drawn.map((piece) =>
          typeof piece === 'string' ? piece : (literals[piece.n % literals.length] as string),
        );
        const [message] = renderMessages(dialect, [{ role: 'user', content: texts.join('') }]).messages;
        if (!message) return;
        const marks = findMarks(dialect, message.content, message.spans);
        const inserted = message.content.length - texts.join('').length;
        expect(marks.forged).toEqual([]);
        expect(marks.broken.length).toBe(inserted);
      }),
      { seed: 6, numRuns: 500 },
    );
  });
});
