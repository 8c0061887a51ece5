import { describe, expect, it } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import { detect } from '../dialects/index.js';

describe('hostile and long evidence', () => {
  it.each([
    ['a name', (n: number) => ({ model: 'qwen-'.repeat(n / 5) })],
    ['a template', (n: number) => ({ template: '<tool_call>{{ x }}'.repeat(n / 18) })],
    ['a sample', (n: number) => ({ text: '<tool_call>{"name": '.repeat(n / 20) })],
  ])('%s costs what it is long', (_, evidence) => {
    const reading = (n: number) => {
      const given = evidence(n);
      return () => detect(given);
    };
    expect(timesTheCost(reading(80_000), reading(20_000), { limit: 9, inARow: 4 })).toBeLessThan(9);
  });
});
