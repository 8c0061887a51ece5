import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.js';

describe('the nearest name', () => {
  const names = ['glm-4.5', 'glm-4.7', 'deepseek-v4', 'hermes', 'qwen3-coder'];

  it.each([
    ['glm-4.4', 'glm-4.5'],
    ['glm-47', 'glm-4.7'],
    ['HERMES', 'hermes'],
    ['hremes', 'hermes'],
    ['hermess', 'hermes'],
    ['qwen', 'qwen3-coder'],
  ])('of %s is %s', (word, name) => {
    expect(nearest(word, names)).toBe(name);
  });

  it.each(['', 'x', 'gpt', 'something-else-entirely'])('of %j is none', (word) => {
    expect(nearest(word, names)).toBeUndefined();
  });

  it('ends a sentence, or says nothing', () => {
    expect(didYouMean('jsn', ['json', 'jsonl'], '--')).toBe('; did you mean --json?');
    expect(didYouMean('zzz', ['json'])).toBe('');
  });
});
