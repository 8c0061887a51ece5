// What a schema becomes, tried on the texts it accepts.

import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/index.js';
import { acceptText } from '../testing/accept-text.js';
import { createDrawer } from '../testing/draw-text.js';
import { createRandom } from '../testing/random.js';
import { toGbnf } from './gbnf.js';
import { RuleBook } from './rule-book.js';
import type { ValueStyle } from './spelling.js';
import { valueRule } from './value-rules.js';

function rulesFor(schema: unknown, style: ValueStyle = { type: 'json' }) {
  const book = new RuleBook(true);
  const root = book.reserve('root');
  book.define(root, valueRule(schema as never, schema as never, style, book));
  return { ...book.rules(root), limits: book.limits };
}

const accepts = (schema: unknown, text: string, style?: ValueStyle) =>
  acceptText(rulesFor(schema, style), text) === true;

describe('numbers', () => {
  const bounds = [
    { minimum: 1, maximum: 14 },
    { minimum: -7, maximum: 130 },
    { minimum: 95 },
    { maximum: -3 },
    { exclusiveMinimum: 0, exclusiveMaximum: 20 },
    { minimum: 0, maximum: 0 },
  ];
  test.each(bounds)('every integer from -150 to 150 is judged as the bounds do: %j', (bound) => {
    const rules = rulesFor({ type: 'integer', ...bound });
    for (let n = -150; n <= 150; n++) {
      const low = Math.max(bound.minimum ?? -1e9, (bound.exclusiveMinimum ?? -1e9) + 1);
      const high = Math.min(bound.maximum ?? 1e9, (bound.exclusiveMaximum ?? 1e9) - 1);
      expect(acceptText(rules, String(n)) === true, String(n)).toBe(n >= low && n <= high);
    }
  });
  test('decimals are compared digit by digit', () => {
    const rules = rulesFor({ type: 'number', minimum: -0.25, exclusiveMaximum: 12.5 });
    for (const yes of ['-0.25', '-0.1', '0', '0.5', '12.49', '12', '9.999', '12.4999'])
      expect(acceptText(rules, yes), yes).toBe(true);
    for (const no of ['-0.26', '-1', '12.5', '12.50', '12.51', '13', '100', '-0', '1e1'])
      expect(acceptText(rules, no), no).not.toBe(true);
  });
  test('what is drawn lies within the bounds', () => {
    const draw = createDrawer(rulesFor({ type: 'number', minimum: -1.5, maximum: 1e-7 }), createRandom(1));
    for (let n = 0; n < 500; n++) {
      const value = Number(draw());
      expect(value >= -1.5 && value <= 1e-7, String(value)).toBe(true);
    }
  });
});

describe('strings', () => {
  test('have a length in characters, escapes and pairs among them', () => {
    const schema = { type: 'string', minLength: 2, maxLength: 3 };
    for (const yes of ['"ab"', '"😀b"', '"\\n\\u00e9x"']) expect(accepts(schema, yes), yes).toBe(true);
    for (const no of ['"a"', '"abcd"', '"a\nb"', '"\\ud83d\\ude00"'])
      expect(accepts(schema, no), no).toBe(false);
  });
  test('follow a pattern that a grammar can say', () => {
    const schema = { type: 'string', pattern: '^(?:[A-Z]{2}|x)-\\d+$' };
    expect(accepts(schema, '"AB-12"')).toBe(true);
    expect(accepts(schema, '"ABC-12"')).toBe(false);
    expect(rulesFor(schema).limits).toEqual([]);
  });
  test.each(['(?=a)b', '(a)\\1', '\\bx', '^a|b$', 'a{5000}', '[[:alpha:', 'a**'])(
    'a pattern that it cannot say is left free, and said: %s',
    (pattern) => {
      const { limits } = rulesFor({ type: 'string', pattern });
      expect(limits.map(({ keyword }) => keyword)).toEqual(['pattern']);
    },
  );
  test('as raw text hold no closer, not even one that overlaps with its own beginning', () => {
    const style: ValueStyle = { type: 'text', without: ['</a>', '```'] };
    for (const yes of ['', 'a < b', '</', '</b>', '<</a', 'x'])
      expect(accepts({ type: 'string' }, yes, style), yes).toBe(true);
    for (const no of ['</a>', 'x<</a>', '````', 'x`'])
      expect(accepts({ type: 'string' }, no, style), no).toBe(false);
  });
});

describe('objects and lists', () => {
  test('keys come in order, optional ones at will, no others', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'boolean' }, c: { const: null } },
      required: ['b'],
    };
    for (const yes of ['{"b": true}', '{"a":1,"b":false}', '{\n  "a": 1,\n  "b": true,\n  "c": null\n}'])
      expect(accepts(schema, yes), yes).toBe(true);
    for (const no of ['{}', '{"a":1}', '{"b":true,"a":1}', '{"b":true,}', '{"b":true,"d":1}'])
      expect(accepts(schema, no), no).toBe(false);
  });
  test('other keys are none of those that are named', () => {
    const schema = {
      type: 'object',
      properties: { ab: { type: 'integer' } },
      additionalProperties: { type: 'null' },
    };
    expect(accepts(schema, '{"ab": 1, "abc": null, "a": null}')).toBe(true);
    expect(accepts(schema, '{"ab": null}')).toBe(false);
  });
  test('lists and tuples have their lengths', () => {
    const list = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 };
    expect([accepts(list, '[1, 2]'), accepts(list, '[]'), accepts(list, '[1,2,3]')]).toEqual([
      true,
      false,
      false,
    ]);
    const tuple = {
      type: 'array',
      prefixItems: [{ const: 'a' }, { type: 'null' }],
      items: false,
      minItems: 1,
    };
    expect([accepts(tuple, '["a"]'), accepts(tuple, '["a",null]'), accepts(tuple, '[null]')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('schemas that refer and combine', () => {
  test('lead back to themselves', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false },
      },
    };
    expect(accepts(schema, '{"next": {"next": {}}}')).toBe(true);
    expect(accepts(schema, '{"next": 1}')).toBe(false);
  });
  test('are merged by allOf and spread by anyOf', () => {
    const schema = {
      allOf: [{ type: 'integer', minimum: 3 }, { maximum: 5 }],
      anyOf: [{ enum: [4] }, { enum: [9, 'x'] }],
    };
    expect(accepts(schema, '4')).toBe(true);
    expect(accepts(schema, '"x"')).toBe(false);
  });
  test('say what is not held', () => {
    const { limits } = rulesFor({
      type: 'array',
      uniqueItems: true,
      items: { type: 'number', multipleOf: 3 },
    });
    expect(limits.map(({ path, keyword }) => [path, keyword])).toEqual([
      ['', 'uniqueItems'],
      ['items', 'multipleOf'],
    ]);
  });
  test('that explode are refused, and nothing hangs', () => {
    const wide = { type: 'object', properties: {} as Record<string, unknown> };
    for (let n = 0; n < 9000; n++) wide.properties[`k${n}`] = { type: 'string', minLength: n % 50 };
    expect(() => rulesFor(wide)).toThrow(UsageError);
    let deep: unknown = { type: 'string' };
    for (let n = 0; n < 300; n++) deep = { type: 'array', items: deep };
    expect(rulesFor(deep).limits.map(({ message }) => message)).toContain(
      'nested too deep: any value is written from here on',
    );
    const circle = { $ref: '#' };
    expect(toGbnf(rulesFor(circle))).toContain('root ::=');
  });
});
