import { expect, it } from 'vitest';
import { en } from '../../words/en.js';
import { shuffleWords } from './shuffle-words.js';

const result = { runs: 200, pieces: 12_345, smallest: 1, largest: 90 };

it('says that nothing changed only if nothing did', () => {
  expect(shuffleWords(result, en)).toContain('200 times');
  expect(shuffleWords(result, en)).toContain('nothing changed');
  const changed = shuffleWords({ ...result, differs: [3, 1, 4] }, en);
  expect(changed).not.toContain('nothing changed');
  expect(changed).toContain('3, 1, 4 characters');
});
