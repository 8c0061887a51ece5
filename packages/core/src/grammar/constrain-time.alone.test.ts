// Schemas come from outside. Whatever they say, a grammar is made in time that grows as they do, or refused with a
// sentence that says what to do.

import { expect, test } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import { findDialect } from '../dialects/index.js';
import { constrain } from '../families/constrain.js';
import { acceptTools, type JsonSchema } from '../model/index.js';

const list = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_, at) => item(at));
const record = (length: number, entry: (at: number) => [string, unknown]) =>
  Object.fromEntries(list(length, entry)) as Record<string, JsonSchema>;

const wide = (count: number) => ({
  type: 'object',
  properties: record(count, (at) => [`k${at}`, { type: 'string' }]),
});

/** JSON by the engine's own schema, raw text in tags, Python, and one JSON document. */
const DIALECTS = ['hermes', 'qwen3-coder', 'pythonic', 'bare-json'].map((name) => findDialect(name));

test('four times as many arguments take about four times as long', () => {
  const [, tags] = DIALECTS as [unknown, (typeof DIALECTS)[number]];
  const writing = (count: number) => {
    const tools = acceptTools([{ name: 'f', parameters: wide(count) }]);
    return () => constrain(tags, tools, 'required', { format: 'gbnf' });
  };
  expect(timesTheCost(writing(8_000), writing(2_000), { limit: 12, inARow: 4 })).toBeLessThan(12);
});
