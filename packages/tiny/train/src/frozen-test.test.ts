import { findDialect } from '@dragoman/core';
import { expect, it } from 'vitest';
import { QuestionDigest, questionsOf } from './frozen-test.js';

it('asks what it asked before the training', () => {
  const digest = new QuestionDigest();
  for (const question of questionsOf(findDialect('hermes'))) digest.add(question);
  expect(digest.hex()).toBe('02f4db35999b7e07642ec08a33e6f992a15bfae6279aced261ccf91dd702148b');
});
