// Writes the questions of the frozen test as tokens: node freeze-test.js <file>. Prints a digest of all of them.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dialects } from '@dragoman/core';
import { questionsOf } from './frozen-test.js';
import { Tokenizer, type Vocabulary } from './tokenizer.js';

const [file = 'questions.json'] = process.argv.slice(2);
const vocabulary = readFileSync(new URL('../vocabulary.json', import.meta.url), 'utf8');
const tokenizer = new Tokenizer(JSON.parse(vocabulary) as Vocabulary);
const digest = createHash('sha256');
const list: { id: string; ids: number[] }[] = [];
for (const dialect of dialects)
  for (const { id, prompt, answer } of questionsOf(dialect)) {
    digest.update(`${id}\n${JSON.stringify([prompt, answer])}\n`);
    list.push({ id, ids: tokenizer.encode(prompt) });
  }
writeFileSync(file, JSON.stringify(list));
console.log(`${list.length} questions, sha256 ${digest.digest('hex')}`);
