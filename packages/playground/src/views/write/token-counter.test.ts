import { expect, it } from 'vitest';
import { createTokenCounter } from './token-counter.js';
import { smallTokenizer } from './tokenizer.fixture.js';

it('counts as the tokenizer merges, a special token as one', () => {
  const { count, vocabulary } = createTokenCounter(JSON.stringify(smallTokenizer));
  expect(vocabulary).toBe(9);
  expect(count('')).toBe(0);
  expect(count('abc')).toBe(1);
  expect(count('abcab')).toBe(2);
  expect(count('abc<|im_end|>ba')).toBe(4);
});

it('takes files that leave parts out', () => {
  const { model } = smallTokenizer;
  expect(createTokenCounter(JSON.stringify({ model })).count('ab')).toBe(1);
});

it('tells what is wrong with a file', () => {
  expect(() => createTokenCounter('{"chat_template": ""}')).toThrow('it has no model with a vocabulary');
  expect(() => createTokenCounter('# README')).toThrow(/JSON/);
  expect(() => createTokenCounter('{"model": {"type": "Odd", "vocab": {}}}')).toThrow('Odd');
});
