import { describe, expect, it } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import { hideKeys } from './hide-keys.js';

describe('hideKeys', () => {
  it('looks at every character a bounded number of times', () => {
    const hide = (count: number) => () => hideKeys('ask-'.repeat(count));
    expect(timesTheCost(hide(100_000), hide(25_000), { limit: 12, inARow: 4 })).toBeLessThan(12);
  });
});
