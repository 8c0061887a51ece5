import { describe, expect, it } from 'vitest';
import { all } from '../../dialects/all.js';
import { Writer } from '../../engine/writer.js';
import { specialTokensOf } from '../engines/special-tokens.js';
import { findBareLeak } from './find-bare-leak.js';
import { findLeak } from './find-leak.js';

const tools = [
  {
    name: 'get_weather',
    description: 'Weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
];
const input = { city: 'Rome', days: 3 };

/** A call as the dialect's models write it. */
function spelled(name: string): string {
  const dialect = all.find(name);
  const out = new Writer(dialect.markers);
  const call = { type: 'tool-call' as const, id: 'call_0', name: 'get_weather', input };
  dialect.render.calls(out, [call], { tools, afterText: false });
  return out.text;
}

describe('a call in the text of an answer', () => {
  it.each(all.dialects.map(({ name }) => name))('is found in %s', (name) => {
    const text = spelled(name);
    const found = findLeak(text, { tools });
    expect(found?.names).toEqual(['get_weather']);
    expect(found?.stripped).toBe(false);
  });

  it.each([
    'hermes',
    'qwen3-coder',
    'glm-4.5',
    'kimi-k2',
    'mistral',
    'deepseek-v3.1',
    'llama3-json',
    'minimax-m2',
  ])('names the dialect %s', (name) => {
    expect(findLeak(`I look it up.\n${spelled(name)}`, { tools })?.dialect.name ?? spelled(name)).toBe(name);
  });

  it.each(['kimi-k2', 'harmony', 'mistral', 'deepseek-v3.1'])(
    'is told as stripped, without the special tokens of %s',
    (name) => {
      let text = spelled(name);
      for (const token of specialTokensOf(all.find(name))) text = text.replaceAll(token, '');
      expect(findLeak(text, { tools })).toMatchObject({ stripped: true, names: ['get_weather'] });
    },
  );

  it.each([
    ['', []],
    ['The weather in Rome is mild.', tools],
    [
      'Write it so:\n\n```\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>\n```\n\nThen wait.',
      tools,
    ],
    ['Call get_weather{"city": "Rome"} to learn it.', tools],
    ['get_weather{"city": "Rome"} says that it is mild.', tools],
    ['get_weather{"city": "Rome"', tools],
    ['<tool_call>\n{"name": "other", "arguments": {}}\n</tool_call>', tools],
    ['<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>', []],
  ])('is not found in %j', (text, given) => {
    expect(findLeak(text, { tools: given })).toBeUndefined();
  });

  it.each(['hermes', 'minimax-m2', 'pythonic', 'llama3-json'])(
    'counts behind text on its line in %s where that is asked for',
    (name) => {
      const call = spelled(name).trim();
      const text = `I ask. ${call}`;
      expect(findLeak(text, { tools })).toBeUndefined();
      const found = findLeak(text, { tools, behindText: findBareLeak });
      expect(found?.names).toEqual(['get_weather']);
      expect(text.slice(...(found?.range ?? [0, 0])).trim()).toBe(call);
      expect(findLeak(`With ${call} one asks.`, { tools, behindText: findBareLeak })).toBeUndefined();
      expect(findLeak(`One writes \`${call}\``, { tools, behindText: findBareLeak })).toBeUndefined();
      expect(findLeak(`So:\n\n- ${call}`, { tools, behindText: findBareLeak })).toBeUndefined();
    },
  );
});
