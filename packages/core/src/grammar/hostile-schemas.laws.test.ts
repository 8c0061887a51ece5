// Schemas come from outside. Whatever they say, a grammar is made in time that grows as they do, or refused with a
// sentence that says what to do.

import { expect, test } from 'vitest';
import { findDialect } from '../dialects/index.js';
import { constrain, samplingRules } from '../families/constrain.js';
import { acceptTools, type JsonSchema, UsageError } from '../model/index.js';
import { GRAMMAR_FORMATS } from './constrain.js';

const list = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_, at) => item(at));
const record = (length: number, entry: (at: number) => [string, unknown]) =>
  Object.fromEntries(list(length, entry)) as Record<string, JsonSchema>;

const wide = (count: number) => ({
  type: 'object',
  properties: record(count, (at) => [`k${at}`, { type: 'string' }]),
});
const one = (x: unknown) => ({ type: 'object', properties: { x }, required: ['x'] });
const named = ($defs: Record<string, unknown>) => ({ ...one({ $ref: '#/$defs/a0' }), $defs });
const product = (count: number, ways: number) => ({
  allOf: list(count, (at) => ({
    oneOf: list(ways, (way) => ({
      properties: { [`p${at}-${way}`]: { const: way } },
      required: [`p${at}-${way}`],
    })),
  })),
});

const HOSTILE: Record<string, unknown> = {
  '10,000 properties': wide(10_000),
  'an enum of 100,000 words': one({ enum: list(100_000, (at) => `value-${at}`) }),
  'a list of a milliard': one({ type: 'array', items: { type: 'integer' }, minItems: 1e9, maxItems: 2e9 }),
  'a text of a milliard': one({ type: 'string', minLength: 1e9, maxLength: 1e12 }),
  'a tuple of 10,000': one({ type: 'array', prefixItems: list(10_000, () => ({ type: 'integer' })) }),
  'the largest numbers': one({ type: 'number', minimum: -1e308, maximum: Number.MAX_VALUE }),
  'the smallest numbers': one({ type: 'number', minimum: Number.MIN_VALUE, maximum: 1e-300 }),
  'a pattern that repeats repetitions': one({ type: 'string', pattern: '^((a{1,1000}){1,1000}){1,1000}$' }),
  'a pattern that nests': one({ type: 'string', pattern: `^${'('.repeat(500)}a${')+'.repeat(500)}$` }),
  'a pattern of 20,000 ways': one({
    type: 'string',
    pattern: `^(${list(20_000, (at) => `a${at}`).join('|')})$`,
  }),
  'two ways, thirty times': product(30, 2),
  'ten ways, ten times': product(10, 10),
  'references in a circle': named({ a0: { $ref: '#/$defs/a1' }, a1: { $ref: '#/$defs/a0' } }),
  'references to itself, twice': named({ a0: { allOf: [{ $ref: '#/$defs/a0' }, { $ref: '#/$defs/a0' }] } }),
  'members that double, forty times': named(
    record(40, (at) => {
      const next = { $ref: `#/$defs/a${at + 1}` };
      return [`a${at}`, { type: 'object', properties: { l: next, r: next } }];
    }),
  ),
  'allOf that doubles, forty times': named(
    record(40, (at) => [`a${at}`, { allOf: list(2, () => ({ $ref: `#/$defs/a${at + 1}` })) }]),
  ),
  'anyOf that doubles, forty times': named(
    record(40, (at) => [`a${at}`, { anyOf: list(2, () => ({ $ref: `#/$defs/a${at + 1}` })) }]),
  ),
};

/** JSON by the engine's own schema, raw text in tags, Python, and one JSON document. */
const DIALECTS = ['hermes', 'qwen3-coder', 'pythonic', 'bare-json'].map((name) => findDialect(name));
const MAX_BYTES = 3_000_000;
const MAX_RULES = 8_000;

test.each(Object.keys(HOSTILE))('%s', (name) => {
  const tools = acceptTools([{ name: 'f', parameters: HOSTILE[name] }]);
  for (const dialect of DIALECTS)
    for (const format of GRAMMAR_FORMATS) {
      if (format === 'json-schema' && !samplingRules(dialect)?.json) continue;
      try {
        const { grammar = '' } = constrain(dialect, tools, 'required', { format });
        const text = typeof grammar === 'string' ? grammar : JSON.stringify(grammar);
        expect(text.length).toBeLessThan(MAX_BYTES);
        if (format === 'gbnf') expect(text.split('\n').length).toBeLessThanOrEqual(MAX_RULES + 1);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
        expect((error as UsageError).code).toMatch(/^(grammar-too-large|no-grammar)$/);
        if ((error as UsageError).code === 'grammar-too-large')
          expect((error as UsageError).message).toMatch(/give fewer tools, or simpler schemas$/);
      }
    }
});
