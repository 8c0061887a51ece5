// How the dialects of JSON calls are really written: the spellings beside the one that is taught, what models leave
// out, and what only looks like a call. Each is read whole and by single characters.

import { describe, expect, it } from 'vitest';
import { parse } from '../engine/parse.js';
import { eventsOf, fingerprint } from '../testing/laws.js';
import { findDialect } from './index.js';

const tools = [
  { name: 'get_weather', parameters: { type: 'object', properties: { location: { type: 'string' } } } },
  { name: 'get_time', parameters: { type: 'object', properties: { zone: { type: 'string' } } } },
];
const NYC = ['get_weather', { location: 'NYC' }];
const EST = ['get_time', { zone: 'EST' }];
const weather = '{"name": "get_weather", "arguments": {"location": "NYC"}}';
const time = '{"name": "get_time", "arguments": {"zone": "EST"}}';

function read(dialect: string, text: string) {
  const found = findDialect(dialect);
  const whole = fingerprint(eventsOf(found, [text], { tools }));
  expect(fingerprint(eventsOf(found, text.split(''), { tools })), 'character by character').toBe(whole);
  const { calls, text: said, repairs } = parse(found, text, { tools });
  return {
    calls: calls.map(({ name, input }) => [name, input]),
    text: said.trim(),
    repairs: repairs.map(({ code }) => code),
  };
}

type Row = [
  dialect: string,
  about: string,
  text: string,
  calls: unknown[],
  said?: string,
  repairs?: string[],
];

const written: Row[] = [
  ['llama3_json', 'without its tag', weather, [NYC]],
  [
    'llama3_json',
    'behind white space, the arguments under either key',
    `\n ${weather.replace('arguments', 'parameters')}`,
    [NYC],
  ],
  ['llama4_json', 'several without a tag', `${weather};${time}`, [NYC, EST]],
  ['mistral', 'the older list', `[TOOL_CALLS] [${weather}, ${time}]`, [NYC, EST]],
  ['mistral', 'the older list without a space, behind text', `Sure.[TOOL_CALLS][${weather}]`, [NYC], 'Sure.'],
  ['mistral', 'an id', '[TOOL_CALLS]get_weather[CALL_ID]aB3xY7kQ2[ARGS]{"location": "NYC"}', [NYC]],
  [
    'mistral',
    'no separator',
    '[TOOL_CALLS]get_weather{"location": "NYC"}[TOOL_CALLS]get_time{"zone": "EST"}',
    [NYC, EST],
  ],
  ['xlam', 'a fence', `Sure.\n\`\`\`json\n[${weather}]\n\`\`\``, [NYC], 'Sure.'],
  ['xlam', 'thoughts before it', `<think>Hm.</think>[${weather}]`, [NYC]],
  ['xlam', 'the marker of others', `Sure.[TOOL_CALLS][${weather}]`, [NYC], 'Sure.', ['missing-closer']],
  ['xlam', 'the tag of others', `Sure.<tool_call>[${weather}]</tool_call>`, [NYC], 'Sure.'],
  ['phi4_mini_json', 'a space before the list', `functools [${weather}]`, [NYC]],
  ['granite', 'the tag of the first models', `<tool_call>[${weather}]`, [NYC]],
  ['granite-20b-fc', 'two calls', `<function_call> ${weather} <function_call> ${time}`, [NYC, EST]],
  [
    'internlm2',
    'the other key',
    `<|action_start|><|plugin|>\n${weather}<|action_end|>`,
    [NYC],
    '',
    ['other-key'],
  ],
  [
    'deepseek_v3',
    'no fence',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n{"location": "NYC"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [NYC],
  ],
  [
    'deepseek_v3',
    'as V3.1 writes it',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"location": "NYC"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [NYC],
  ],
  [
    'kimi_k2',
    'the section in the singular',
    '<|tool_call_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"location":"NYC"}<|tool_call_end|><|tool_call_section_end|>',
    [NYC],
  ],
  [
    'kimi_k2',
    'a name alone',
    '<|tool_calls_section_begin|><|tool_call_begin|>get_weather<|tool_call_argument_begin|>{"location":"NYC"}<|tool_call_end|><|tool_calls_section_end|>',
    [NYC],
  ],
  [
    'kimi_k2',
    'underscores for signs',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions_get_weather_2<|tool_call_argument_begin|>{"location":"NYC"}<|tool_call_end|><|tool_calls_section_end|>',
    [NYC],
  ],
  [
    'kimi_k2',
    'a number for the name',
    '<|tool_calls_section_begin|><|tool_call_begin|>3<|tool_call_argument_begin|>{"zone":"EST"}<|tool_call_end|><|tool_calls_section_end|>',
    [EST],
    '',
    ['guessed-name'],
  ],
  ['gigachat3', '3.1', `Sure.<|function_call|>${weather}</s>`, [NYC], 'Sure.'],
  ['gigachat3', 'an answer that is nothing but a call', `function call<|role_sep|>\n${weather}`, [NYC]],
  [
    'apertus',
    'two calls',
    '<|tools_prefix|>[{"get_weather": {"location": "NYC"}}, {"get_time": {"zone": "EST"}}]<|tools_suffix|>',
    [NYC, EST],
  ],
  [
    'apertus',
    'two calls in one object',
    '<|tools_prefix|>[{"get_weather": {"location": "NYC"}, "get_time": {"zone": "EST"}}]<|tools_suffix|>',
    [NYC, EST],
  ],
  [
    'sarashina',
    'Python',
    "<|tool_calls|>[{'name': 'get_weather', 'arguments': {'location': 'O\\'Hare', 'now': True, 'later': None}}]",
    [['get_weather', { location: "O'Hare", now: true, later: null }]],
  ],
  ['minimax-m1', 'one a line', `<tool_calls>\n${weather}\n${time}\n</tool_calls>`, [NYC, EST]],
  [
    'ernie45',
    'the answer in its tags',
    `<think>\nHm.\n</think>\n\n<response>\nSure.\n</response>\n\n<tool_call>\n${weather}\n</tool_call>`,
    [NYC],
    'Sure.',
  ],
  ['fenced-json', 'prose before the fence', `Sure.\n\`\`\`json\n${weather}\n\`\`\``, [NYC], 'Sure.'],
  ['bare-json', 'a line of its own behind prose', `Sure.\n${weather}\n${time}`, [NYC, EST], 'Sure.'],
  [
    'tool-calls-json',
    'as an API answers',
    `{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": "{\\"location\\": \\"NYC\\"}"}}]}`,
    [NYC],
    '',
    ['arguments-as-string'],
  ],
  ['tool-calls-json', 'one call', `{"tool_call": ${weather}}`, [NYC]],
];

const prose: [dialect: string, text: string][] = [
  ['llama3_json', `The JSON is {"name": "get_weather", "arguments": {"location": "NYC"}}.`],
  ['llama3_json', '{"name": "Ada", "age": 36}'],
  ['llama3_json', '{"name": "get_weather", "arguments": "none", "note": 1}'],
  ['xlam', '[{"name": "unknown", "arguments": {}}]'],
  ['mistral', 'Calls begin with [TOOL_CALLS] and a name.'],
  ['phi-4-mini', 'from functools import reduce; functools[0]'],
  ['fenced-json', 'As JSON:\n```json\n{"name": "Ada", "age": 36}\n```'],
  ['fenced-json', 'Inline ```json {"name": "get_weather", "arguments": {}}``` is no fence.'],
  ['bare-json', 'Write {"name": "get_weather", "arguments": {}} to call.'],
  ['tool-calls-json', '{"tool_calls": []}'],
  ['kimi_k2', 'The token <|tool_call_begin|> opens a call.'],
];

describe('calls in JSON', () => {
  it.each(written)('%s: %s', (dialect, _about, text, calls, said = '', repairs = []) => {
    const found = read(dialect, text);
    expect(found.calls).toEqual(calls);
    expect(found.text).toBe(said);
    expect(found.repairs).toEqual(repairs);
  });

  it.each(prose)('%s takes no prose for a call: %s', (dialect, text) => {
    expect(read(dialect, text)).toMatchObject({ calls: [], text: text.trim() });
  });
});
