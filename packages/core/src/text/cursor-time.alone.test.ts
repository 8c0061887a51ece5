import { describe, expect, it } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import { Cursor } from './cursor.js';

describe('what is held', () => {
  it('costs a chunk its own length: ten times the chunks behind a mark take about ten times as long', () => {
    const hold = (chunks: number) => {
      const cursor = new Cursor();
      cursor.mark();
      for (let n = 0; n < chunks; n++) {
        cursor.push('0123456789');
        cursor.at = cursor.text.length;
      }
      cursor.rewind();
      expect(cursor.text.length).toBe(10 * chunks);
    };
    const ratio = timesTheCost(
      () => hold(200_000),
      () => hold(20_000),
      { limit: 25, inARow: 10 },
    );
    expect(ratio).toBeLessThan(25);
  });
});
