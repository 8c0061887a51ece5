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
    const { row } = convert(damaged);
    const [{ function: tool }] = (row as typeof damaged).tools as [(typeof damaged.tools)[0]];
    const call = (row as typeof damaged).messages[1]?.tool_calls?.[0]?.function.arguments;
    expect(call).toBe('{"city":"Oslo","unit":null}');
    expect(Object.keys(tool.parameters.properties)).toEqual(['city', 'unit']);
    expect(tool.parameters.properties.city).toEqual({ type: 'string', default: null });
    expect(convert(row).notes).toEqual([]);
  });

  it('are left where no schema is known', () => {
    const { tools: _, ...rest } = damaged;
    expect(createConvert({ from: openai, to: openai, dropNullArguments: true })(rest).notes).toEqual([]);
  });
});
