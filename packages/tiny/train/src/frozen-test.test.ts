import { createHash } from 'node:crypto';
import { findDialect } from '@dragoman/core';
import { expect, it } from 'vitest';
import { questionsOf } from './frozen-test.js';

it('asks what it asked before the training', () => {
  const digest = createHash('sha256');
  for (const { id, sample } of questionsOf(findDialect('hermes')))
    digest.update(`${id}\n${JSON.stringify([sample.tools, sample.messages, sample.expected])}\n`);
  expect(digest.digest('hex')).toBe('02f4db35999b7e07642ec08a33e6f992a15bfae6279aced261ccf91dd702148b');
});
