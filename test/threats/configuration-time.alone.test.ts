// Configurations that would hold up a gateway which reads them again: each is judged in bounded time.

import { expect, it } from 'vitest';
import { parseConfig } from '../../packages/gateway/src/config/index.js';

const list = (count: number, item: (at: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, at) => item(at)).join(between);

it.each([
  ['many unknown members', list(19_000, (at) => `k${at}: x`)],
  ['many members of an upstream', `upstream: {${list(10_000, (at) => `k${at}: x`, ', ')}}`],
  ['many models of one name', `upstream: demo\nmodels: [${list(19_000, () => 'x', ', ')}]`],
  ['many models of a wrong shape', `upstream: demo\nmodels: [${list(9000, () => '{ dialekt: x }', ', ')}]`],
  ['too many values', `models: [${'a,'.repeat(500_000)}]`],
  [
    'aliases of aliases',
    `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${list(9, (at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`)}]`)}`,
  ],
  ['brackets within the limit', `models: ${'['.repeat(99_000)}`],
  ['brackets', `models: ${'['.repeat(1_000_000)}`],
  ['comments', '#\n'.repeat(500_000)],
])('%s: within ten seconds', (_, text) => {
  parseConfig('upstream: demo');
  const start = performance.now();
  const result = parseConfig(text);
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(result.ok || result.problems.length <= 101).toBe(true);
});
