import { dialects, parse } from '@dragoman/core';
import { expect, it } from 'vitest';
import { collectExamples } from './example-files.js';
import { firstExample } from './examples.js';

const examples = collectExamples();

it('there is one for every dialect, and some are broken', () => {
  const right = examples.filter(({ broken }) => !broken).map(({ dialect }) => dialect);
  expect(dialects.map(({ name }) => name).filter((name) => !right.includes(name))).toEqual([]);
  expect(examples.filter(({ broken }) => broken).length).toBeGreaterThanOrEqual(8);
});

it.each(examples)('"$title" ($dialect) is what it says', ({ dialect, text, tools, thinking, broken }) => {
  const { calls, issues, repairs, reasoning } = parse(dialect, text, { tools, thinking });
  expect(issues.length + repairs.length > 0 || (broken && reasoning !== '')).toBe(broken);
  if (!broken) expect(calls.length).toBeGreaterThan(0);
});

it('the first one shows calls, reasoning, text, an issue and several repairs', () => {
  const { text, tools } = firstExample;
  const answer = parse('hermes', text, { tools });
  expect(answer.calls.map(({ name }) => name)).toEqual(['get_weather', 'get_forecast', 'get_wether']);
  expect(answer.issues.map(({ code }) => code)).toEqual(['unknown-tool']);
  expect(new Set(answer.repairs.map(({ code }) => code))).toEqual(
    new Set(['single-quotes', 'trailing-comma', 'python-word']),
  );
  expect(answer.reasoning).not.toBe('');
  expect(answer.text).not.toBe('');
});
