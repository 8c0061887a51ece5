import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SourceWindow } from './source-window.js';

describe('the window on the source', () => {
  it('gives any stretch behind the settled place, however it came in', () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(pieces, fc.nat(), fc.nat(), fc.nat(), (parts, a, b, c) => {
        const whole = parts.join('');
        const [settled = 0, from = 0, to = 0] = [a, b, c]
          .map((n) => n % (whole.length + 1))
          .sort((x, y) => x - y);
        const window = new SourceWindow();
        for (const part of parts) window.add(part);
        window.slice(0, settled);
        window.settle(settled);
        expect(window.slice(from, to)).toBe(whole.slice(from, to));
      }),
      { seed: 7 },
    );
  });

  it('holds no more than what is not settled', () => {
    const window = new SourceWindow();
    for (let at = 0; at < 1000; at++) {
      window.add('0123456789');
      window.slice(at * 10, at * 10 + 7);
      window.settle(at * 10 + 7);
    }
    expect(window.slice(0, Number.POSITIVE_INFINITY)).toBe('789');
  });

  it('shows the beginning and the end of a long answer', () => {
    const window = new SourceWindow();
    for (let at = 0; at < 3000; at++) window.add(String(at).padStart(5, '0'));
    expect(window.shown().startsWith('0000000001')).toBe(true);
    expect(window.shown().endsWith('0299802999')).toBe(true);
    expect(window.shown()).toContain('[…]');
    expect(window.shown().length).toBeLessThan(9000);
    const short = new SourceWindow();
    for (let at = 0; at < 1000; at++) short.add(String(at).padStart(5, '0'));
    expect(short.shown()).toBe(Array.from({ length: 1000 }, (_, at) => String(at).padStart(5, '0')).join(''));
  });

  it('shows the same however it came in, up to any place near its end', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.nat(2000), (lengths, back) => {
        const total = lengths.reduce((sum, length) => sum + length, 0);
        const whole = Array.from({ length: total }, (_, at) => String.fromCharCode(97 + (at % 23))).join('');
        const window = new SourceWindow();
        let at = 0;
        for (const length of lengths) {
          window.add(whole.slice(at, at + length));
          at += length;
          // Looked at in between, it goes on as before.
          if (length % 7 === 0) window.shown();
        }
        const to = Math.max(0, total - back);
        const text = whole.slice(0, to);
        const expected = to <= 8000 ? text : `${text.slice(0, 4000)}\n[…]\n${text.slice(-4000)}`;
        expect(window.shown(to)).toBe(expected);
      }),
      { seed: 8, numRuns: 60 },
    );
  });
});
