// Writes the questions of the frozen test as tokens: node freeze-test.js <file>. Prints a digest of what they ask.

import { readFileSync, writeFileSync } from 'node:fs';
import { dialects } from '@dragoman/core';
import { QuestionDigest, questionsOf } from './frozen-test.js';
import { Tokenizer, type Vocabulary } from './tokenizer.js';

const [file = 'questions.json'] = process.argv.slice(2);
const vocabulary = readFileSync(new URL('../vocabulary.json', import.meta.url), 'utf8');
const tokenizer = new Tokenizer(JSON.parse(vocabulary) as Vocabulary);
const digest = new QuestionDigest();
const list: { id: string; ids: number[] }[] = [];
for (const dialect of dialects)
  for (const question of questionsOf(dialect)) {
    digest.add(question);
    list.push({ id: question.id, ids: tokenizer.encode(question.prompt) });
  }
writeFileSync(file, JSON.stringify(list));
console.log(`${list.length} questions, sha256 ${digest.hex()}`);
