// Configurations that would hold up a gateway which reads them again: none takes many times as long as a valid one of the
// largest size, which is measured beside them. Those that are refused before they are checked take less than that.

import { beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../packages/gateway/src/config/index.js';

/** Of the time of the valid one; 0.9 was measured. */
const MOST_TIMES = 2;
/** How often a configuration is read again, and the least counts: what is its fault comes every time. */
const TRIES = 3;

const list = (count: number, item: (at: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, at) => item(at)).join(between);

function timeOf(text: string): number {
  const start = performance.now();
  const result = parseConfig(text);
  const time = performance.now() - start;
  expect(result.ok || result.problems.length <= 101).toBe(true);
  return time;
}

function leastTime(text: string, most: number): number {
  let least = timeOf(text);
  for (let tries = 1; least > most && tries < TRIES; tries++) least = Math.min(least, timeOf(text));
  return least;
}

let valid = 0;
beforeAll(() => {
  const largest = `upstream: demo\nmodels: [${list(19_000, (at) => `m${at}`, ', ')}]`;
  const result = parseConfig(largest);
  expect(result.ok).toBe(true);
  valid = leastTime(largest, 0);
});

const checked: [name: string, text: string][] = [
  ['many unknown members', list(19_000, (at) => `k${at}: x`)],
  ['many members of an upstream', `upstream: {${list(10_000, (at) => `k${at}: x`, ', ')}}`],
  ['many models of one name', `upstream: demo\nmodels: [${list(19_000, () => 'x', ', ')}]`],
  ['many models of a wrong shape', `upstream: demo\nmodels: [${list(9000, () => '{ dialekt: x }', ', ')}]`],
  ['brackets within the limit', `models: ${'['.repeat(99_000)}`],
];

const refused: [name: string, text: string][] = [
  ['too many values', `models: [${'a,'.repeat(500_000)}]`],
  [
    'aliases of aliases',
    `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${list(9, (at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`)}]`)}`,
  ],
  ['brackets', `models: ${'['.repeat(1_000_000)}`],
  ['comments', '#\n'.repeat(500_000)],
];

describe('a hostile configuration', () => {
  it.each(checked)('%s: at most twice as long as a valid one', (_, text) => {
    expect(leastTime(text, MOST_TIMES * valid) / valid).toBeLessThan(MOST_TIMES);
  });

  it.each(refused)('%s: refused before it is checked', (_, text) => {
    expect(leastTime(text, valid) / valid).toBeLessThan(1);
  });
});
