import type { ExactValue } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { createConvert } from '../forms/convert.js';
import { findForm } from '../forms/forms.js';

const openai = findForm('openai');

/** A row as a table gives it that merged the keys of two tools. */
const damaged = {
  messages: [
    { role: 'user', content: 'Hi.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'f', arguments: '{"city":"Oslo","unit":null,"zip":null,"at":{"x":null}}' },
        },
      ],
    },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            city: { type: 'string', default: null },
            unit: { type: ['string', 'null'] },
            zip: null,
          },
        },
      },
    },
  ],
};

describe('keys that a table merged into arguments', () => {
  it('are noted, and kept', () => {
    const { row, notes } = createConvert({ from: openai, to: openai })(damaged);
    expect(row).toEqual(damaged);
    expect(notes.map(({ code, path }) => [code, path])).toEqual([
      ['null-arguments', 'tools[0]'],
      ['null-arguments', 'messages[1].parts[0]'],
    ]);
  });

  it('are removed where that is asked for, but for null that a schema has', () => {
    const convert = createConvert({ from: openai, to: openai, dropNullArguments: true });
    const { row, notes } = convert(damaged);
    const [{ function: tool }] = (row as typeof damaged).tools as [(typeof damaged.tools)[0]];
    const call = (row as typeof damaged).messages[1]?.tool_calls?.[0]?.function.arguments;
    expect(call).toBe('{"city":"Oslo","unit":null}');
    expect(Object.keys(tool.parameters.properties)).toEqual(['city', 'unit']);
    expect(tool.parameters.properties.city).toEqual({ type: 'string', default: null });
    const left = ['issue', 'kept-nulls', 'messages[1].parts[0]'];
    expect(notes.map(({ kind, code, path }) => [kind, code, path])).toEqual([
      ['repair', 'dropped-nulls', 'tools[0]: properties.zip'],
      ['repair', 'dropped-nulls', 'messages[1].parts[0]: zip, at'],
      left,
    ]);
    expect(convert(row).notes.map(({ kind, code, path }) => [kind, code, path])).toEqual([left]);
  });

  it('are removed from lists of values in a schema, which may hold null and are none', () => {
    const parameters = {
      type: 'object',
      enum: null,
      properties: { unit: { enum: ['c', null], examples: null, const: null } },
    };
    const row = { ...damaged, tools: [{ type: 'function', function: { name: 'g', parameters } }] };
    const { row: written } = createConvert({ from: openai, to: openai, dropNullArguments: true })(row);
    expect((written as typeof row).tools[0]?.function.parameters).toEqual({
      type: 'object',
      properties: { unit: { enum: ['c', null], const: null } },
    });
  });

  it('are left where no schema is known', () => {
    const { tools: _, ...rest } = damaged;
    const { row, notes } = createConvert({ from: openai, to: openai, dropNullArguments: true })(rest);
    expect(row).toEqual(rest);
    expect(notes).toEqual([{ kind: 'issue', code: 'kept-nulls', path: 'messages[1].parts[0]' }]);
  });
});

/** Gives the arguments of a call as they are written without merged keys. */
function mended(parameters: ExactValue | undefined, given: string): string | undefined {
  const convert = createConvert({ from: openai, to: openai, dropNullArguments: true });
  const { row } = convert({
    messages: [
      { role: 'user', content: 'Hi.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: given } }],
      },
    ],
    tools: [{ type: 'function', function: { name: 'f', ...(parameters !== undefined && { parameters }) } }],
  });
  return (row as typeof damaged).messages[1]?.tool_calls?.[0]?.function.arguments;
}

describe('null that a schema has or may mean', () => {
  const a = { type: 'object', properties: { a: { type: ['string', 'null'] } } };
  const b = { type: 'object', properties: { b: { type: ['string', 'null'] } } };
  const point = { type: 'object', properties: { x: { type: ['number', 'null'] } } };
  const list = { type: 'array', items: point };
  const pair = { type: 'array', prefixItems: [a, b] };
  const itself = { type: 'object', properties: { a: {}, next: { $ref: '#' } } };
  const loop = { $ref: '#/$defs/one', $defs: { one: { anyOf: [{ $ref: '#/$defs/one' }, a] } } };
  const cases: [what: string, parameters: ExactValue | undefined, given: string, left: string][] = [
    ['in a $ref', { $ref: '#/$defs/a', $defs: { a } }, '{"a":null,"z":null}', '{"a":null}'],
    [
      'in a $ref of a property',
      { properties: { p: { $ref: '#/definitions/a' } }, definitions: { a } },
      '{"p":{"a":null,"z":null}}',
      '{"p":{"a":null}}',
    ],
    ['in a schema that refers to itself', itself, '{"next":{"a":null,"z":null}}', '{"next":{"a":null}}'],
    ['in a $ref to its own place', loop, '{"a":null,"z":null}', '{"a":null}'],
    ['behind a $ref that leads nowhere', { $ref: '#/$defs/none' }, '{"z":null}', '{"z":null}'],
    ['behind a $ref of another document', { ...a, $ref: 'other.json' }, '{"z":null}', '{"z":null}'],
    ['in anyOf', { anyOf: [a, b] }, '{"a":null,"b":null,"z":null}', '{"a":null,"b":null}'],
    ['in oneOf', { oneOf: [a, { type: 'null' }] }, '{"a":null,"z":null}', '{"a":null}'],
    ['in allOf', { ...a, allOf: [b] }, '{"a":null,"b":null,"z":null}', '{"a":null,"b":null}'],
    ['in else', { ...a, if: {}, else: b }, '{"a":null,"b":null,"z":null}', '{"a":null,"b":null}'],
    ['beside required keys', { ...a, anyOf: [{ required: ['a'] }, {}] }, '{"a":null,"z":null}', '{"a":null}'],
    ['in a branch for any object', { anyOf: [a, { type: 'object' }] }, '{"z":null}', '{"z":null}'],
    [
      'of two branches for one key',
      { anyOf: [{ properties: { p: a } }, { properties: { p: b } }] },
      '{"p":{"a":null,"b":null,"z":null}}',
      '{"p":{"a":null,"b":null}}',
    ],
    ['of more keys', { ...a, additionalProperties: true }, '{"a":null,"z":null}', '{"a":null,"z":null}'],
    [
      'of more keys with a schema',
      { additionalProperties: { type: ['string', 'null'] } },
      '{"z":null}',
      '{"z":null}',
    ],
    ['of keys by pattern', { ...a, patternProperties: { '^x-': {} } }, '{"x-z":null}', '{"x-z":null}'],
    [
      'below a key, beside more keys',
      { properties: { p: a }, additionalProperties: true },
      '{"p":{"a":null,"z":null}}',
      '{"p":{"a":null}}',
    ],
    ['of no more keys', { ...a, additionalProperties: false }, '{"a":null,"z":null}', '{"a":null}'],
    [
      'of an object without keys',
      { properties: { p: { type: 'object' } } },
      '{"p":{"z":null},"z":null}',
      '{"p":{"z":null}}',
    ],
    ['of items', { properties: { p: list } }, '{"p":[{"x":null,"z":null}]}', '{"p":[{"x":null}]}'],
    [
      'of items by place',
      { properties: { p: pair } },
      '{"p":[{"a":null,"b":null},{"b":null,"a":null},{"z":null}]}',
      '{"p":[{"a":null},{"b":null},{"z":null}]}',
    ],
    [
      'of items without a schema',
      { properties: { p: { type: 'array' } } },
      '{"p":[{"z":null}]}',
      '{"p":[{"z":null}]}',
    ],
    ['of a tool without keys', { type: 'object', properties: {} }, '{"z":null}', '{}'],
    ['of a tool with any keys', { type: 'object' }, '{"z":null}', '{"z":null}'],
    ['of a tool without parameters', undefined, '{"z":null}', '{"z":null}'],
  ];

  it.each(cases)('%s', (_, parameters, given, left) => {
    expect(mended(parameters, given)).toBe(left);
  });

  it('is found in branches that refer to each other many times', () => {
    const names = Array.from({ length: 40 }, (_, at) => `d${at}`);
    const $defs = Object.fromEntries(
      names.map((name, at) => {
        const $ref = `#/$defs/d${(at + 1) % 40}`;
        return [name, { anyOf: [{ $ref }, { allOf: [{ $ref }] }, { properties: { [name]: {} } }] }];
      }),
    );
    expect(mended({ $ref: '#/$defs/d0', $defs }, '{"d39":null,"d40":null}')).toBe('{"d39":null}');
  });

  it('are removed from the definition of a function, where null means absent', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const definition = { name: 'f', description: null, parameters, strict: null, note: null };
    const row = {
      messages: [{ role: 'user', content: 'Hi.' }],
      tools: [{ type: 'function', function: definition }],
    };
    const kept = createConvert({ from: openai, to: openai })(row);
    expect(kept.row).toEqual(row);
    expect(kept.notes).toEqual([{ kind: 'issue', code: 'null-arguments', path: 'tools[0]' }]);
    const mended = createConvert({ from: openai, to: openai, dropNullArguments: true })(row);
    expect(mended.row).toEqual({
      ...row,
      tools: [{ type: 'function', function: { name: 'f', parameters, note: null } }],
    });
    expect(mended.notes).toEqual([
      { kind: 'repair', code: 'dropped-nulls', path: 'tools[0]: description, strict' },
    ]);
  });
});
