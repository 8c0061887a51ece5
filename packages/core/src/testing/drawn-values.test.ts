// The comparison that the law of grammars rests on must be able to fail.

import { expect, test } from 'vitest';
import type { ValueStyle } from '../grammar/spelling.js';
import { acceptTools, type JsonObject } from '../model/index.js';
import { meaningsOf } from './drawn-value.js';
import { unreadValue } from './drawn-values.js';

const tools = acceptTools([
  {
    name: 'f',
    parameters: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } },
  },
]);
const root = tools[0]?.parameters as JsonObject;
const { a, b } = root.properties as { a: JsonObject; b: JsonObject };
const style: ValueStyle = { type: 'text', without: [] };

function problemOf(input: JsonObject, drawn: readonly [schema: JsonObject, text: string][], name = 'f') {
  const calls = [{ id: 'call_1', name, input, raw: '' }];
  const answer = { text: '', reasoning: '', calls, parts: [], issues: [], repairs: [] };
  const values = drawn.map(([schema, text]) => ({
    of: {
      type: 'value' as const,
      schema,
      root,
      style: schema === root ? ({ type: 'json' } as const) : style,
    },
    text,
  }));
  return unreadValue(answer, tools, values);
}

test('what was drawn and read is nothing to say', () => {
  expect(
    problemOf({ a: '1', b: 2 }, [
      [a, '1'],
      [b, '2'],
    ]),
  ).toBeUndefined();
  expect(problemOf({ a: 'x' }, [[root, '{"a": "x"}']])).toBeUndefined();
});

test.each([
  ['another value', { a: 'x', b: 3 }],
  ['another type', { a: 'x', b: '2' }],
  ['a space that was dropped', { a: 'x', b: 2 }],
  ['another key', { a: 'x ', c: 2 }],
  ['one too few', { a: 'x ' }],
  ['one too many', { a: 'x ', b: 2, c: 3 }],
] as [string, JsonObject][])('%s is said', (_what, input) => {
  expect(
    problemOf(input, [
      [a, 'x '],
      [b, '2'],
    ]),
  ).toMatch(/and not (read|written)$/);
});

test('arguments of another tool, or with another member, are said', () => {
  expect(problemOf({ a: 'x' }, [[root, '{"a": "x"}']], 'g')).toMatch(/not read$/);
  expect(problemOf({ a: 'x', b: 1 }, [[root, '{"a": "x"}']])).toMatch(/not read$/);
});

test.each([
  [
    { type: 'python' },
    `{'a': "b'", "c": [True, None, 'True "\\'']}`,
    { a: "b'", c: [true, null, `True "'`] },
  ],
  [{ type: 'javascript' }, '{a: "b:c", ["__proto__"]: 1}', JSON.parse('{"a":"b:c","__proto__":1}')],
  [{ type: 'braces', quote: '<q>' }, '{a:<q>b"c:<q>,d:[true]}', { a: 'b"c:', d: [true] }],
] as [ValueStyle, string, unknown][])('values are read as %j', (way, text, value) => {
  expect(meaningsOf({ type: 'value', schema: undefined, style: way }, text)).toEqual([value]);
});
