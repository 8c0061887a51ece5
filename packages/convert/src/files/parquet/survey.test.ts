import { describe, expect, it } from 'vitest';
import type { Column } from './columns.js';
import { surveyColumns } from './survey.js';

const call = (input: unknown) => ({ function: { name: 'f', arguments: input } });
const row = (...inputs: unknown[]) => ({
  messages: [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', tool_calls: inputs.map(call) },
  ],
});

/** The column of the arguments, in rows of messages. */
function argumentsIn(rows: unknown[], columns: 'json' | 'struct'): unknown {
  const { types } = surveyColumns([rows.map((one) => JSON.stringify(one))], columns);
  const message = (types.get('messages') as { list: { struct: Map<string, Column> } }).list.struct;
  const made = (message.get('tool_calls') as { list: { struct: Map<string, Column> } }).list.struct;
  return (made.get('function') as { struct: Map<string, Column> }).struct.get('arguments');
}

describe('the columns of arguments', () => {
  it('are structs if all calls have the same keys, also as JSON text', () => {
    const same = [row({ city: 'Oslo' }), row({ city: 'Rome' }, { city: 'Bonn' })];
    expect(argumentsIn(same, 'struct')).toEqual({ struct: new Map([['city', 'string']]) });
    expect(argumentsIn([row('{"city": "Oslo"}')], 'struct')).toEqual({
      struct: new Map([['city', 'string']]),
      text: true,
    });
  });

  it('are JSON text if one call has another key, another type, or none', () => {
    for (const other of [{ town: 'Rome' }, { city: 1 }, { city: null, town: 'x' }, {}])
      expect(argumentsIn([row({ city: 'Oslo' }), row(other)], 'struct')).toBe('json');
    expect(argumentsIn([row('{"city": "Oslo"}'), row('{"town": 1}')], 'struct')).toBe('string');
    expect(argumentsIn([row({ at: [{ x: 1 }, { y: 1 }] })], 'struct')).toBe('json');
  });

  it('are JSON text if one call has a null, which a struct would lose', () => {
    for (const other of [{ unit: null }, { unit: { of: null } }, { unit: [{ of: null }] }]) {
      const [full] = JSON.parse(JSON.stringify([other]).replace('null', '"C"'));
      expect(argumentsIn([row(full), row(full)], 'struct')).not.toBe('json');
      expect(argumentsIn([row(other), row(full)], 'struct')).toBe('json');
      expect(argumentsIn([row(full, other)], 'struct')).toBe('json');
    }
    expect(argumentsIn([row('{"unit": null}'), row('{"unit": "C"}')], 'struct')).toBe('string');
    // Lists keep their nulls.
    expect(argumentsIn([row({ units: ['C', null] })], 'struct')).toEqual({
      struct: new Map([['units', { list: 'string' }]]),
    });
  });

  it('are JSON text where that is asked for', () => {
    expect(argumentsIn([row({ city: 'Oslo' })], 'json')).toBe('json');
    expect(argumentsIn([row('{"city": "Oslo"}')], 'json')).toBe('string');
  });

  it.each(['arguments', 'args', 'input', 'parameters', 'input_schema', 'inputSchema', 'schema'])(
    'are known by the name %s',
    (name) => {
      const rows = [{ city: 'Oslo' }, { town: 'Rome' }].map((one) => ({ calls: [{ [name]: one }] }));
      const { types } = surveyColumns([rows.map((one) => JSON.stringify(one))], 'struct');
      expect(types.get('calls')).toEqual({ list: { struct: new Map([[name, 'json']]) } });
    },
  );
});

/** Rows of one call each, whose arguments are these texts of JSON objects. */
const surveyOf = (...inputs: string[]) =>
  surveyColumns([inputs.map((input) => `{"calls": [{"name": "f", "arguments": ${input}}]}`)], 'struct');

const columnOf = ({ types }: ReturnType<typeof surveyColumns>) =>
  (types.get('calls') as { list: { struct: Map<string, Column> } }).list.struct.get('arguments');

describe('arguments that a struct would change', () => {
  const long = ['9007199254740993', '4611686018427387904'];

  it.each([
    ...long.map((n) => ({ inputs: ['{"n": 1.5}', `{"n": ${n}}`], row: 2, why: 'integers and fractions' })),
    ...long.map((n) => ({ inputs: [`{"n": ${n}}`, '{"n": 1.5}'], row: 2, why: 'integers and fractions' })),
    { inputs: ['{"n": 1}', '{"n": 1.5}'], row: 2, why: 'integers and fractions' },
    { inputs: ['{"n": 2.5}', '{"n": 1.0}'], row: 2, why: '1.0 would become 1' },
    { inputs: ['{"n": [2.5, 1e2]}'], row: 1, why: '1e2 would become 100' },
    { inputs: ['{"n": -0}'], row: 1, why: '-0 would become 0' },
    { inputs: ['{"n": 1e400}'], row: 1, why: '1e400 is beyond what a column holds' },
    { inputs: ['{"n": "a"}', '{"n": "\\ud800"}'], row: 2, why: 'a string with half a character' },
    { inputs: ['{"n": 1}', '{"n": 1}', '{"m": 1}', '{}'], row: 3, why: 'other keys' },
    { inputs: ['{"n": 1}', '{"n": "1"}'], row: 2, why: 'values of different types' },
    { inputs: ['{"n": 1}', '{"n": {"of": 1}}'], row: 2, why: 'values of different types' },
    { inputs: ['{"n": 1}', '{"n": null}'], row: 2, why: 'a key is null' },
    { inputs: ['{"n": []}'], row: 1, why: 'a list of no type' },
    { inputs: ['{}'], row: 1, why: 'an object without keys' },
    { inputs: ['{"n": 1}', '[1]'], row: 2, why: 'values of different types' },
  ])('are JSON text, with the reason: $inputs', ({ inputs, row, why }) => {
    const path = `calls[].arguments: ${why}`;
    const found = surveyOf(...inputs);
    expect(columnOf(found)).toBe('json');
    expect(found.notes).toEqual([{ kind: 'issue', code: 'text-arguments', count: 1, row, path }]);
  });

  it('stay text, with the reason, if they are text', () => {
    const twice = surveyOf(...['{"n": 1}', '{"n": 1, "n": 2}'].map((text) => JSON.stringify(text)));
    expect(columnOf(twice)).toBe('string');
    expect(twice.notes).toMatchObject([{ row: 2, path: 'calls[].arguments: a key stands twice' }]);
    const broken = surveyOf(...['{"n": 1}', '{"n": '].map((text) => JSON.stringify(text)));
    expect(columnOf(broken)).toBe('string');
    expect(broken.notes).toMatchObject([{ row: 2, path: 'calls[].arguments: text that is no JSON object' }]);
  });

  it('are not noted where JSON text was asked for, or where they are structs', () => {
    const { notes } = surveyColumns([['{"calls": [{"arguments": {"n": 1.0}}]}']], 'json');
    expect(notes).toEqual([]);
    const { notes: none, ...found } = surveyOf(
      '{"n": 1.5, "m": 4611686018427387904}',
      '{"n": -2.25, "m": 1}',
    );
    expect(none).toEqual([]);
    const struct = new Map([
      ['n', 'double'],
      ['m', 'integer'],
    ]);
    expect(columnOf({ ...found, notes: none })).toEqual({ struct });
  });

  it('are structs if only the order of keys differs, and the rows are counted', () => {
    const found = surveyOf('{"a": 1, "b": 2}', '{"b": 1, "a": 2}', '{"a": 1, "b": 2}', '{"b": 1, "a": 2}');
    const struct = new Map([
      ['a', 'integer'],
      ['b', 'integer'],
    ]);
    expect(columnOf(found)).toEqual({ struct });
    const path = 'calls[].arguments';
    expect(found.notes).toEqual([{ kind: 'loss', code: 'key-order', count: 2, row: 2, path }]);
  });

  it('count a row once, however many of its objects have another order', () => {
    const found = surveyOf(
      '{"a": {"x": 1, "y": 2}, "b": 2}',
      '{"b": 1, "a": {"y": 1, "x": 2}}',
      '{"a": {"y": 1, "x": 2}, "b": 2}',
    );
    const path = 'calls[].arguments';
    expect(found.notes).toEqual([{ kind: 'loss', code: 'key-order', count: 2, row: 2, path }]);
  });

  it('stay text if an integer is beyond 64 bits, with the integer', () => {
    const found = surveyOf('{"n": 1}', '{"n": 123456789012345678901234567890123}');
    expect(columnOf(found)).toBe('json');
    const why = '123456789012345678901234567890… is beyond what a column holds';
    expect(found.notes).toMatchObject([{ row: 2, path: `calls[].arguments: ${why}` }]);
  });

  it('do not decide the types of other members', () => {
    const rows = ['{"list": [{"n": 1.5}]}', '{"list": [{"n": 1.0}, {"n": 1}]}'];
    expect(surveyColumns([rows], 'struct')).toEqual({
      types: new Map([['list', { list: { struct: new Map([['n', 'double']]) } }]]),
      notes: [],
    });
    const long = ['{"list": [{"n": 1.5}]}', '{"list": [{"n": 9007199254740993}]}'];
    expect(surveyColumns([long], 'struct').types.get('list')).toEqual({
      list: { struct: new Map([['n', 'json']]) },
    });
  });
});
