import { expect, it } from 'vitest';
import { WaitingTexts } from './waiting-texts.js';

const restOf = (texts: WaitingTexts) => {
  const all: string[] = [];
  for (let text = texts.next(); text !== ''; text = texts.next()) all.push(text);
  return all;
};

it('text that is behind a long one waits for it, in order', () => {
  const texts = new WaitingTexts();
  expect(texts.behind('first')).toBe('first');
  expect(texts.begin(['a', 'b'].values())).toBe('a');
  expect(texts.behind('behind')).toBe('');
  expect(texts.begin(['c', 'd'].values())).toBe('');
  expect(texts.behind('')).toBe('');
  expect(texts.behind('last')).toBe('');
  expect(restOf(texts)).toEqual(['b', 'behind', 'c', 'd', 'last']);
  expect(texts.behind('again')).toBe('again');
});
