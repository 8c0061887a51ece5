// The cost of a batch in Python, beside the parse itself.

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parse } from '@dragoman/core';
import { expect, it } from 'vitest';
import { root } from './sources.js';

const texts = Array.from({ length: 4_000 }, (_, days) => {
  return `I will look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": ${days}}}\n</tool_call>`;
});

function parseTime(): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    for (const text of texts) parse('hermes', text);
    best = Math.min(best, performance.now() - start);
  }
  return (best / texts.length) * 1000;
}

const missing = spawnSync('python3', ['--version']).status !== 0 && process.env.CI !== 'true';

it.skipIf(missing)('a text of a batch costs less than 100 µs beside its parse', () => {
  const env = {
    ...process.env,
    DRAGOMAN_COMMAND: `"${process.execPath}" "${root}packages/cli/bin/dragoman.js"`,
  };
  const input = texts.map((text) => text.replaceAll('\n', '\\n')).join('\n');
  const script = join(root, 'clients/python/tests/time_batch.py');
  const inPython = Number(execFileSync('python3', [script], { input, env, encoding: 'utf8' }));
  expect(inPython - parseTime()).toBeLessThan(100);
});
