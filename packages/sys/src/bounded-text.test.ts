import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedText, withoutHalfPair } from './bounded-text.js';

function bounded(limit: number, pieces: readonly string[]): BoundedText {
  const text = new BoundedText(limit);
  for (const piece of pieces) text.add(piece);
  return text;
}

const cut = /^(.*)\n\[… (\d+) characters left out …\]\n(.*)$/s;

describe('a bounded text', () => {
  it('is whole if it fits, else its two ends and the count between them, however it came', () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀'), maxLength: 12 }));
    fc.assert(
      fc.property(
        pieces,
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        (parts, limit, less) => {
          const whole = parts.join('');
          const shownLimit = Math.max(2, limit - less);
          const shown = bounded(limit, parts).toText(shownLimit);
          if (whole.length <= shownLimit) {
            expect(shown).toBe(whole);
            return;
          }
          const [, head = '', left, tail = ''] = cut.exec(shown) ?? [];
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
          expect(head.length + Number(left) + tail.length).toBe(whole.length);
          expect(head.length + tail.length).toBeLessThanOrEqual(shownLimit);
          expect(head.length + tail.length).toBeGreaterThanOrEqual(shownLimit - 3);
          expect(shown.isWellFormed()).toBe(true);
        },
      ),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('holds no more than the limit allows, whatever comes', () => {
    const text = new BoundedText(1000);
    let most = 0;
    for (let at = 0; at < 100_000; at++) {
      text.add('0123456789');
      most = Math.max(most, text.held);
    }
    expect(most).toBeLessThanOrEqual(1500 + 10);
    expect(text.length).toBe(1_000_000);
    text.add('x'.repeat(5_000_000));
    expect(text.held).toBeLessThanOrEqual(1500);
  });

  it('leaves no half of a pair at a cut', () => {
    expect(withoutHalfPair('\ude00a\ud83d')).toBe('a');
    expect(withoutHalfPair('😀')).toBe('😀');
    expect(withoutHalfPair('\ud83d')).toBe('');
    expect(withoutHalfPair('')).toBe('');
  });
});
