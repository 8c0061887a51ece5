import type { ToolCall } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { RowError } from './form.js';
import { short, show } from './published.fixture.js';
import { toolaceForm } from './toolace-form.js';

const turn = (from: string, value: unknown) => ({ from, value }) as never;
const read = (...conversations: never[]) => show(toolaceForm, { system: '', conversations });
const answer = (value: string) => read(turn('assistant', value));

const before =
  'You are an expert in composing functions. You are given a question and a set of possible functions. \n' +
  'Based on the question, you will need to make one or more function/tool calls to achieve the purpose. \n' +
  'If none of the function can be used, point it out. If the given question lacks the parameters required by the ' +
  'function,\nalso point it out.';
const sections = ' You should only return the function call in tools call sections.\n';
const marker = 'Here is a list of functions in JSON format that you can invoke:\n';
const after =
  '. \nShould you decide to return the function call(s). \n' +
  'Put it in the format of [func1(params_name=params_value, params_name2=params_value2...), func2(params)]\n\n' +
  'NO other text MUST be included. \n';
const functions =
  '[{"name": "Get Fare", "description": "What a train costs", "parameters": {"type": "dict", "properties": ' +
  '{"train": {"type": "string", "description": "Its number"}}, "required": ["train"]}, "required": null}]';

describe('a row as it is published', () => {
  const row = {
    system: `${before}${sections}${marker}${functions}${after}`,
    conversations: [
      turn('user', 'What does train 7 cost?'),
      turn('assistant', '[Get Fare(train="7")]'),
      turn('tool', '[{"name": "Get Fare", "results": {"eur": 12.50}}]'),
      turn('assistant', '12.50 euros.'),
    ],
  };

  it('is read without a note', () => {
    const { said, notes, reading } = show(toolaceForm, row);
    expect(said).toEqual([
      'user: What does train 7 cost?',
      'call Get Fare {"train":"7"} call_1',
      'result Get Fare call_1 = {"eur":12.50}',
      'assistant: 12.50 euros.',
    ]);
    expect(notes).toEqual([]);
    expect(reading.conversation.tools).toMatchObject([
      { name: 'Get Fare', parameters: { type: 'object', properties: { train: { type: 'string' } } } },
    ]);
  });

  it('is written to the letter', () => {
    const { notes: _, ...transcript } = toolaceForm.read(row);
    expect(toolaceForm.write(transcript)).toEqual({ row, notes: [] });
  });

  it('may say the time before the functions, which is the system text', () => {
    const time = 'The current time is 2024-05-01 10:00:00.';
    for (const system of [
      `${before}${sections}${time}${marker}${functions}${after}`,
      `${before}\n${time}${sections}${marker}${functions}${after}`,
      `${before}\n${time}${marker}${functions}${after}`,
    ]) {
      const { said, reading } = show(toolaceForm, { system, conversations: [] });
      expect(said).toEqual([`system: ${time}`]);
      expect(reading.conversation.tools).toHaveLength(1);
    }
  });

  it('may instruct in other words, which stay', () => {
    const { said, notes } = show(toolaceForm, {
      system: `Call wisely. ${marker}${functions}\nBe brief.`,
      conversations: [],
    });
    expect(said).toEqual(['system: Call wisely.\nBe brief.']);
    expect(notes).toContain('repair other-spelling system');
  });

  it('may hold functions that cannot be read: then all of it is text', () => {
    const system = `${marker}[{"name": `;
    const { said, notes, reading } = show(toolaceForm, { system, conversations: [] });
    expect(said).toEqual([`system: ${system}`]);
    expect(notes).toEqual(['issue wrong-type system']);
    expect(reading.conversation.tools).toEqual([]);
  });
});

describe('calls', () => {
  it.each([
    ['[f()]', ['f {}']],
    [
      '[a.b(x=1), Get It Now(y=-2.50, z=[1, "two", None])]',
      ['a.b {"x":1}', 'Get It Now {"y":-2.50,"z":[1,"two",null]}'],
    ],
    ['[f(a={"k": [True, {"n": "v"}]}, b=\'it\\\'s\')]', ['f {"a":{"k":[true,{"n":"v"}]},"b":"it\'s"}']],
    ['[f(user-id="1", max results=5)]', ['f {"user-id":"1","max results":5}']],
    ['[f(q="a, b) ] (c=1")]', ['f {"q":"a, b) ] (c=1"}']],
    ['[f(\n  a=1,\n  b=2,\n)]', ['f {"a":1,"b":2}']],
    ['[f(**{"a=b": 1}, c=2)]', ['f {"a=b":1,"c":2}']],
  ])('reads %s', (value, calls) => {
    const { said, notes } = answer(value);
    expect(said).toEqual(calls.map((call, at) => `call ${call} call_${at + 1}`));
    expect(notes).toEqual([]);
  });

  it.each([
    ['[f(a=true, b=null)]', 'f {"a":true,"b":null}', 'repair python-word'],
    ['[f(date=2024-05-01)]', 'f {"date":"2024-05-01"}', 'issue wrong-type'],
    ['[f(code=AAPL, n=1)]', 'f {"code":"AAPL","n":1}', 'issue wrong-type'],
    ['[f(say="He said "no" again")]', 'f {"say":"He said \\"no\\" again"}', 'repair unescaped-quote'],
    ['[f(a=1, a=2)]', 'f {"a":2}', 'issue duplicate-key'],
  ])('reads %s generously, and says so', (value, call, note) => {
    const { said, notes } = answer(value);
    expect(said).toEqual([`call ${call.replaceAll('\\"', '\\"')} call_1`]);
    expect(notes).toEqual([`${note} conversations[0].value`]);
  });

  it.each([['[f("positional")]'], ['[f(a=g(1))]'], ['[f(a=[1, )]']])(
    'keeps %s as text, and says so',
    (value) => {
      const { said, notes } = answer(value);
      expect(said).toEqual([`assistant: ${value}`]);
      expect(notes).toEqual(['issue unreadable-call conversations[0].value']);
    },
  );

  it.each([['[1] see there'], ['[a](b)'], ['Try [f(a=1)] now.'], ['[f(a=1'], ['[]'], ['x = [f(1)]']])(
    'takes %s for text',
    (value) => {
      expect(answer(value)).toMatchObject({ said: [`assistant: ${value}`], notes: [] });
    },
  );

  it('stand behind text, and before it', () => {
    expect(answer('Let me look.\n[f(a=1)]').said).toEqual([
      'assistant: Let me look.',
      'call f {"a":1} call_1',
    ]);
    const { said, notes } = answer('[f(a=1)]\nThat is it.');
    expect(said).toEqual(['call f {"a":1} call_1', 'assistant: That is it.']);
    expect(notes).toEqual(['issue text-after-calls conversations[0].value']);
  });

  it('has a name that cannot be written, and is refused', () => {
    const call: ToolCall = { type: 'tool-call', id: 'call_1', name: 'f(x)', input: {} };
    const conversation = {
      messages: [{ role: 'assistant' as const, parts: [call] }],
      tools: [],
      toolChoice: 'auto' as const,
    };
    expect(() => toolaceForm.write({ conversation, rest: [] })).toThrow(RowError);
  });
});

describe('results', () => {
  const results = (value: string) => read(turn('assistant', '[f(), g()]'), turn('tool', value));

  it('are one list, and find their calls by name', () => {
    const { said } = results('[{"name": "g", "results": "G"}, {"name": "f", "results": [1]}]');
    expect(said.slice(2)).toEqual(['result g call_2 G', 'result f call_1 = [1]']);
  });

  it('may lack one', () => {
    expect(results('[{"name": "g", "results": null}]').said.slice(2)).toEqual(['result g call_2 = null']);
  });

  it.each([
    ['[{"name": "f", "result": 1}]', 'result f call_1 = 1', 'repair other-key'],
    ['{"name": "f", "results": 1}', 'result f call_1 = 1', 'repair bare-object'],
    ["[{'name': 'f', 'results': 1}]", 'result f call_1 = 1', 'repair single-quotes'],
    ['no JSON', 'result f call_1 no JSON', 'issue wrong-type'],
    ['[1, 2]', 'result f call_1 [1, 2]', 'issue wrong-type'],
    ['[]', 'result f call_1 []', 'issue wrong-type'],
  ])('are %s, and are read with a note', (value, result, note) => {
    const { said, notes } = results(value);
    expect(said.slice(2)).toEqual([result]);
    expect(notes).toEqual([`${note} conversations[1].value`]);
  });

  it('are errors', () => {
    const { reading } = results('[{"name": "f", "error": "timeout"}]');
    expect(reading.conversation.messages[1]?.parts).toMatchObject([{ output: 'timeout', isError: true }]);
  });

  it('of messages that follow each other are written as one list', () => {
    const made = (id: string, output: string) =>
      ({ role: 'tool', parts: [{ type: 'tool-result', callId: id, output }] }) as const;
    const calls = ['call_1', 'call_2'].map(
      (id) => ({ type: 'tool-call', id, name: 'f', input: {} }) as const,
    );
    const { row, notes } = toolaceForm.write({
      conversation: {
        messages: [{ role: 'assistant', parts: calls }, made('call_2', 'B'), made('call_1', 'A')] as never,
        tools: [],
        toolChoice: 'auto',
      },
      rest: [],
    });
    expect(row).toMatchObject({
      conversations: [
        { from: 'assistant', value: '[f(), f()]' },
        { from: 'tool', value: '[{"name": "f", "results": "A"}, {"name": "f", "results": "B"}]' },
      ],
    });
    expect(short(notes)).toEqual(['loss call-ids messages[1]', 'loss call-ids messages[2]']);
  });
});

describe('faults', () => {
  it.each([
    [{ system: '' }, 'conversations'],
    [{ conversations: [7] }, 'conversations[0]'],
    [{ conversations: [{ from: 'god', value: '' }] }, 'conversations[0].from'],
    [{ conversations: [{ from: 'user', value: {} }] }, 'conversations[0].value'],
    [{ conversations: [], system: [] }, 'system'],
  ])('%j is refused', (row, path) => {
    expect(() => toolaceForm.read(row as never)).toThrow(expect.objectContaining({ name: 'RowError', path }));
  });
});

describe('what would read as a frame', () => {
  it.each([['[f(a=1)]'], ['Text\n[f(a=1)]'], ['[\\f(a=1)]'], ['  [f(a=1)]'], ['[f(a=1)]\n[g()]\nx']])(
    'comes back as text: %s',
    (text) => {
      const messages = [{ role: 'assistant' as const, parts: [{ type: 'text' as const, text }] }];
      const { row, notes } = toolaceForm.write({
        conversation: { messages, tools: [], toolChoice: 'auto' },
        rest: [],
      });
      expect(short(notes)).toEqual(['issue frame-text messages[0]']);
      expect(toolaceForm.read(row).conversation.messages).toEqual(messages);
    },
  );

  it('declares no tool in a system text', () => {
    const messages = [
      { role: 'system' as const, parts: [{ type: 'text' as const, text: `${marker}${functions}${after}` }] },
    ];
    const { row } = toolaceForm.write({
      conversation: { messages, tools: [], toolChoice: 'auto' },
      rest: [],
    });
    expect(toolaceForm.read(row).conversation).toEqual({ messages, tools: [], toolChoice: 'auto' });
  });
});
