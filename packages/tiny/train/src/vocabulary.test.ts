// What must hold of the data behind the training, whatever was mined or written.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BY_NAME, SWITCHED } from './parameters.js';
import { Tokenizer, type Vocabulary } from './tokenizer.js';

it('has every text once, and no half of a character: llama.cpp refuses a file with two equal tokens', () => {
  const file = readFileSync(new URL('../vocabulary.json', import.meta.url), 'utf8');
  const tokenizer = new Tokenizer(JSON.parse(file) as Vocabulary);
  const texts = tokenizer.texts.filter((text) => text !== '').map((text) => Buffer.from(text).toString());
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  expect(texts.filter((text) => text.includes('\ufffd'))).toEqual([]);
});

it('trains on none of the unseen wordings, though the files of more wordings have some of them', () => {
  for (const { seen, unseen, trained } of [BY_NAME.en, BY_NAME.zh, SWITCHED.en.on, SWITCHED.zh.off]) {
    expect(trained.length).toBeGreaterThan(3 * seen.length);
    const bare = new Set(trained.map((one) => one.replace(/^[\s,，]+/, '')));
    expect(unseen.filter((one) => bare.has(one))).toEqual([]);
  }
});
