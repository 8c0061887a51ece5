import { expect, it } from 'vitest';
import { countWords } from './count-words.js';

it.each([0, 7, 999, 1000, 12_345, 1_234_567, 2 ** 53 - 1])('groups %s as people write it', (count) => {
  expect(countWords(count)).toBe(count.toLocaleString('en'));
});
