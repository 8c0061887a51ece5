import { describe, expect, it } from 'vitest';
import { progressLine } from './verify-progress.js';

describe('the line of a verification', () => {
  const state = { done: 0, planned: 0, way: '', seconds: 0, failing: [] };

  it.each([
    [{}, 'reaching the endpoint …'],
    [{ planned: 100 }, '0 of 100  nothing fails'],
    [{ planned: 100, done: 20, seconds: 10 }, '20 of 100  40 s left  nothing fails'],
    [
      { planned: 100, done: 50, seconds: 10, way: 'heal', failing: ['usage', 'call-leak'] },
      'heal  50 of 100  10 s left  fails: usage, call-leak',
    ],
  ])('%j is %j', (part, line) => {
    expect(progressLine({ ...state, ...part })).toBe(line);
  });
});
