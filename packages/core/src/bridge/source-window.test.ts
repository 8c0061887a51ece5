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
});
