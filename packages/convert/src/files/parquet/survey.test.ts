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
  const found = surveyColumns([rows.map((one) => JSON.stringify(one))], columns);
  const message = (found.get('messages') as { list: { struct: Map<string, Column> } }).list.struct;
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
      const found = surveyColumns([rows.map((one) => JSON.stringify(one))], 'struct');
      expect(found.get('calls')).toEqual({ list: { struct: new Map([[name, 'json']]) } });
    },
  );
});
