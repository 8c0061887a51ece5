// What must hold of the data behind the training, whatever was mined or written.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Wordings } from './more-wordings.js';
import { Tokenizer, type Vocabulary } from './tokenizer.js';

it('has every text once, and no half of a character: llama.cpp refuses a file with two equal tokens', () => {
  const file = readFileSync(new URL('../vocabulary.json', import.meta.url), 'utf8');
  const tokenizer = new Tokenizer(JSON.parse(file) as Vocabulary);
  const texts = tokenizer.texts.filter((text) => text !== '').map((text) => Buffer.from(text).toString());
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  expect(texts.filter((text) => text.includes('\ufffd'))).toEqual([]);
});

/** Every list of wordings that the training and the test draw from. */
const lists: (Wordings & { language: string })[] = [];
vi.mock('./more-wordings.js', async (original) => {
  const real = await original<typeof import('./more-wordings.js')>();
  const wordings: typeof real.wordings = (file, key, language, seen, unseen) => {
    const made = real.wordings(file, key, language, seen, unseen);
    lists.push({ ...made, language });
    return made;
  };
  return { ...real, wordings };
});

const EN_ELSEWHERE = [
  'around {v}',
  'as of {v}',
  'no later than {v}',
  'addressed to {v}',
  'via {v}',
  'counted in {v}',
  'dig out',
  'oh and',
];
const ZH_ELSEWHERE = ['时间为{v}', '位置在{v}', '以{v}计', '定在{v}', '调出', '展开', '给我'];

/** Case, blanks and punctuation make no other wording. */
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ => .*/, '')
    .replace(/[\s.,;:!?。，；：！？]+/g, ' ')
    .trim();

const bareOf = (texts: readonly string[]): ReadonlySet<string> => new Set(texts.map(bare));

describe('the unseen wordings, of which the files of more wordings have some', () => {
  beforeAll(() => import('./conversation.js'));

  it('are those of many lists', () => {
    expect(lists.length).toBeGreaterThan(150);
    expect(lists.flatMap(({ unseen }) => unseen)).toHaveLength(385);
    expect(lists.flatMap(({ trained }) => trained).length).toBeGreaterThan(13_000);
  });

  // No opening at all, and ' After that, ' in other punctuation.
  it('are trained in their own meaning in two cases alone', () => {
    const known = lists.flatMap(({ unseen, trained }) =>
      unseen.filter((one) => bareOf(trained).has(bare(one))),
    );
    expect(known).toEqual(['', '; after that ']);
  });

  // The weights were trained with these: train/README.md says so.
  it.each([
    ['en', EN_ELSEWHERE],
    ['zh', ZH_ELSEWHERE],
  ])('are trained in another meaning in the known cases alone: %s', (language, known) => {
    const all = lists.filter((list) => list.language === language);
    const everywhere = bareOf(all.flatMap(({ trained }) => trained));
    const elsewhere = all.flatMap(({ unseen, trained }) =>
      unseen.map(bare).filter((one) => everywhere.has(one) && !bareOf(trained).has(one)),
    );
    expect(elsewhere).toEqual(known);
  });
});
