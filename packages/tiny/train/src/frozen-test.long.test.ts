// The whole frozen test, a minute and more; frozen-test.test.ts holds the part of one dialect.

import { readFileSync } from 'node:fs';
import { dialects } from '@dragoman/core';
import { expect, it } from 'vitest';
import { QuestionDigest, questionsOf } from './frozen-test.js';

it('asks in all dialects what it asked before the training, with the digest of the README', () => {
  const digest = new QuestionDigest();
  for (const dialect of dialects) for (const question of questionsOf(dialect)) digest.add(question);
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\`${digest.hex()}\``);
});
