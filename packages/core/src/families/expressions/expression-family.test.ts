// What models of this family really write, and what only looks like it.

import { describe, expect, test } from 'vitest';
import { functionGemma } from '../../dialects/functiongemma.js';
import { gemma4 } from '../../dialects/gemma4/gemma4.js';
import { lfm2 } from '../../dialects/lfm2.js';
import { llama4Pythonic } from '../../dialects/llama4-pythonic.js';
import { olmo3 } from '../../dialects/olmo3.js';
import { pythonic } from '../../dialects/pythonic.js';
import type { Dialect } from '../../engine/dialect.js';
import { collect, parse } from '../../engine/parse.js';
import { createParser } from '../../engine/parser.js';
import { eventsOf, fingerprint } from '../../testing/index.js';

const TOOLS = [
  {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
  { name: 'get_time', parameters: { type: 'object', properties: {} } },
  { name: 'bash', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
];

interface Answer {
  text: string;
  calls: [name: string, input: unknown][];
  repairs: string[];
  issues: string[];
}

/** The same whole and in single characters. */
function read(dialect: Dialect, text: string, tools: typeof TOOLS | null = TOOLS): Answer {
  const options = tools ? { tools } : {};
  const whole = eventsOf(dialect, [text], options);
  const cut = eventsOf(
    dialect,
    [...Array(text.length).keys()].map((at) => text.charAt(at)),
    options,
  );
  expect(fingerprint(cut)).toBe(fingerprint(whole));
  const { text: said, calls } = collect(whole);
  return {
    text: said,
    calls: calls.map(({ name, input }) => [name, input]),
    repairs: whole.flatMap(({ repairs = [] }) => repairs.map(({ code }) => code)),
    issues: whole.flatMap(({ issues = [] }) => issues.map(({ code }) => code)),
  };
}

const none = { repairs: [], issues: [] };

describe('a bare list of calls', () => {
  test('is calls where it is the answer', () => {
    expect(read(pythonic, '[get_weather(city="NYC", days=2), get_time()]')).toEqual({
      text: '',
      calls: [
        ['get_weather', { city: 'NYC', days: 2 }],
        ['get_time', {}],
      ],
      ...none,
    });
  });

  test('is calls on a line of its own, and behind reasoning', () => {
    const text = '<think>\nlet me\n</think>\n\nI will look.\n[get_time()]';
    expect(read(pythonic, text)).toMatchObject({ text: 'I will look.', calls: [['get_time', {}]] });
  });

  test('may go over several lines', () => {
    const text = '[\n  get_weather(\n    city="NYC",\n  ),\n  get_time()\n]';
    expect(read(pythonic, text).calls).toHaveLength(2);
  });

  test.each([
    '[see f(x)]',
    '[see f(x=1)]',
    'Read [get_weather(city="NYC")] there.',
    '[link](https://example.org)',
    '[get_weather](https://example.org)',
    '[get_weather(city)] asks for the weather.',
    '[get_weather(city=name)]',
    '[other(x=1)] is how it is called.',
    '[1, 2, 3]',
    '[]',
    '[ ] buy milk\n[x] call(mum)',
    '["get_weather(city=1)"]',
    '```python\n[get_time()]\n```',
    '[other(x=1), and more]',
    '[other(x=1',
  ])('%s is text', (text) => {
    expect(read(pythonic, text)).toEqual({ text, calls: [], ...none });
  });

  test('of names no tool has counts as a whole', () => {
    expect(read(pythonic, '[other(x=1)]\n')).toMatchObject({
      text: '',
      calls: [['other', { x: 1 }]],
      issues: ['unknown-tool'],
    });
    expect(read(pythonic, '[other(x=1)]', null)).toMatchObject({
      calls: [['other', { x: 1 }]],
      issues: [],
    });
  });

  test('that is cut gives the calls that were complete', () => {
    expect(read(pythonic, '[get_time(), get_weather(city="NY')).toMatchObject({
      calls: [['get_time', {}]],
      issues: ['incomplete-call'],
    });
    expect(read(pythonic, '[get_time(), get_we')).toMatchObject({
      calls: [['get_time', {}]],
      issues: ['incomplete-call'],
    });
    expect(read(pythonic, '[get_weather(city="NYC")')).toMatchObject({
      calls: [['get_weather', { city: 'NYC' }]],
      repairs: ['missing-closer'],
    });
  });

  test('with one call that cannot be read still gives the others', () => {
    const text = '[get_weather(city="NYC", days=now()), get_time()]';
    expect(read(pythonic, text)).toMatchObject({
      text: '',
      calls: [['get_time', {}]],
      issues: ['unsupported-code'],
    });
  });

  test('streams its strings', () => {
    const parser = createParser(pythonic, { tools: TOOLS });
    const events = parser.feed('[bash(command="cat << EOF');
    expect(events.map((event) => event.type)).toEqual(['markup', 'call-start', 'call-delta']);
    expect(events.at(-1)).toMatchObject({ type: 'call-delta', text: '{"command":"cat << EOF' });
  });
});

describe('llama4-pythonic', () => {
  test.each([
    '<|python_start|>[get_weather(city="NYC")]<|python_end|>',
    '[get_weather(city="NYC")]',
    '<|python_start|>[get_weather(city="NYC")]<|python_end|><|eot|>',
  ])('%s', (text) => {
    expect(read(llama4Pythonic, text)).toEqual({
      text: '',
      calls: [['get_weather', { city: 'NYC' }]],
      ...none,
    });
  });
});

describe('olmo3', () => {
  test('one call a line', () => {
    const text = '<function_calls>\nget_weather(city="NYC", days=2)\nget_time()\n</function_calls>';
    expect(read(olmo3, text)).toMatchObject({
      text: '',
      calls: [
        ['get_weather', { city: 'NYC', days: 2 }],
        ['get_time', {}],
      ],
      ...none,
    });
  });

  test('the words of JSON are a repair', () => {
    const text = '<function_calls>f(a=null, b=true)</function_calls>';
    expect(read(olmo3, text)).toMatchObject({
      calls: [['f', { a: null, b: true }]],
      repairs: ['python-word', 'python-word'],
    });
  });

  test('a mention of the tag is text', () => {
    const text = 'Calls stand in <function_calls> and so on.';
    expect(read(olmo3, text)).toEqual({ text, calls: [], ...none });
  });
});

describe('lfm2', () => {
  const wrap = (inside: string) => `<|tool_call_start|>${inside}<|tool_call_end|>`;

  test.each([
    ['[get_weather(city="NYC")]', []],
    ['get_weather(city="NYC")', ['bare-object']],
    ['[get_weather({"city": "NYC"})]', ['wrapped-arguments']],
    ['[{"name": "get_weather", "arguments": {"city": "NYC"}}]', ['json-body']],
    ['[get_weather(city="NYC"]', ['extra-bracket', 'missing-bracket']],
    ['[get_weather("NYC")]', ['arguments-as-list']],
  ])('%s', (inside, repairs) => {
    expect(read(lfm2, wrap(inside))).toEqual({
      text: '',
      calls: [['get_weather', { city: 'NYC' }]],
      repairs,
      issues: [],
    });
  });

  test('quotes in a shell command that were not escaped stay in it', () => {
    const { calls, repairs } = read(lfm2, wrap("[bash(command='sed -n '360,450p' /testbed/common.py')]"));
    expect(calls).toEqual([['bash', { command: "sed -n '360,450p' /testbed/common.py" }]]);
    expect(repairs).toEqual(['unescaped-quote', 'unescaped-quote']);
  });

  test('an empty list is no call and no text', () => {
    expect(read(lfm2, `Hello.${wrap('[ ]')}`)).toEqual({ text: 'Hello.', calls: [], ...none });
    expect(read(lfm2, `Hello.${wrap('')}`)).toEqual({ text: 'Hello.', calls: [], ...none });
  });

  test('text behind the calls is part of the answer', () => {
    expect(read(lfm2, `${wrap('[get_time()]')}\nChecking.`)).toMatchObject({
      text: '\nChecking.',
      calls: [['get_time', {}]],
    });
  });

  test('a call that would have to be run is none, and the rest goes on', () => {
    const { calls, issues } = read(lfm2, wrap('[get_weather(city=input("city?")), get_time()]'));
    expect(calls).toEqual([['get_time', {}]]);
    expect(issues).toEqual(['unsupported-code']);
  });
});

describe('gemma4', () => {
  test('strings stand as they are', () => {
    const text = 'On it. <|tool_call>call:bash{command:<|"|>echo "a\\n" } ] <b><|"|>}<tool_call|>';
    expect(read(gemma4, text)).toEqual({
      text: 'On it. ',
      calls: [['bash', { command: 'echo "a\\n" } ] <b>' }]],
      ...none,
    });
  });

  test('reasoning stands in its channel', () => {
    const answer = parse(gemma4, '<|channel>thought\nhm\n<channel|><|tool_call>call:get_time{}<tool_call|>');
    expect(answer).toMatchObject({ reasoning: 'hm', text: '' });
    expect(answer.calls).toHaveLength(1);
  });

  test.each([
    ['<|channel>thought\nhm\n<channel|>Hello.<channel|>', 'hm'],
    ['<|channel>thought<channel|>Hello.<|channel>thought\n<channel|>', ''],
    ['<|channel><|channel>thought\n<channel|>Hello.', ''],
  ])('%s is one thought and one sentence', (text, reasoning) => {
    expect(parse(gemma4, text)).toMatchObject({ text: 'Hello.', reasoning });
  });

  test.each([
    ['<|tool_call>call:get_weather{city:<|"|>NYC<|"|>}', ['missing-closer']],
    ['<|tool_call>get_weather{city:<|"|>NYC<|"|>}<tool_call|>', ['other-spelling']],
    ['<|tool_call>call:get_weather{city:NYC}<tool_call|>', ['guessed-type']],
    ['<|tool_call>call:get_weather{"city": "NYC"}<tool_call|>', ['other-spelling', 'other-spelling']],
    ['<|tool_call>call:get_weather{city:<|"|>NYC<|"|><tool_call|>', ['missing-bracket']],
  ])('%s is read generously', (text, repairs) => {
    expect(read(gemma4, text)).toEqual({
      text: '',
      calls: [['get_weather', { city: 'NYC' }]],
      repairs,
      issues: [],
    });
  });

  test.each([
    '<|tool_call>call:get_weather{city:<|"|>NY',
    '<|tool_call>call:get_weather{city:<|"|>NYC<|"|>',
    '<|tool_call>call:get_weather{city:',
    '<|tool_call>call:get_wea',
  ])('%s was cut, and is no call', (text) => {
    expect(read(gemma4, text)).toMatchObject({ text: '', calls: [], issues: ['incomplete-call'] });
  });

  test('a string that is never closed ends at its bracket, before the closing marker', () => {
    const text =
      '<|tool_call>call:get_weather{city:<|"|>NYC}<tool_call|><|tool_call>call:get_time{}<tool_call|>';
    const calls = [
      ['get_weather', { city: 'NYC' }],
      ['get_time', {}],
    ];
    expect(read(gemma4, text)).toMatchObject({ calls, repairs: ['missing-closer'] });
  });

  test('a key that is never closed fails its own call alone', () => {
    const text =
      '<|tool_call>call:get_weather{<|"|>city:NYC}<tool_call|><|tool_call>call:get_time{}<tool_call|>';
    expect(read(gemma4, text)).toMatchObject({ calls: [['get_time', {}]], issues: ['unreadable-call'] });
  });
});

describe('functiongemma', () => {
  test('what the schema types is typed', () => {
    const text =
      '<start_function_call>call:get_weather{city:<escape>5<escape>,days:<escape>2<escape>}<end_function_call>';
    expect(read(functionGemma, text)).toEqual({
      text: '',
      calls: [['get_weather', { city: '5', days: 2 }]],
      repairs: ['string-as-scalar'],
      issues: [],
    });
  });
});
