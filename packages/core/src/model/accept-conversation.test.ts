import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptConversation, type Message, parseExact, UsageError } from './index.js';

const messagesOf = (...messages: unknown[]): Message[] => acceptConversation(messages).messages;
const firstPart = (message: unknown): unknown => messagesOf(message)[0]?.parts[0];
const call = (id: string | undefined, name = 'f', args: unknown = '{}') => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name, arguments: args },
});
const text = (value: string) => ({ type: 'text', text: value });

function errorOf(value: unknown): UsageError {
  try {
    acceptConversation(value);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a request of OpenAI’s chat API', () => {
  const request = {
    model: 'm',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [text('a'), text('b'), { type: 'image_url', image_url: { url: 'u' } }],
        name: 'Ann',
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [call('c1', 'f', '{"a": 1.0}')],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
      { role: 'assistant', content: 'It is sunny.', refusal: null },
    ],
    tools: [{ type: 'function', function: { name: 'f' } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    temperature: 0.5,
  };

  it('is read whole', () => {
    expect(acceptConversation(request)).toStrictEqual({
      messages: [
        { role: 'system', parts: [text('Be brief.')], extra: { role: 'developer' } },
        {
          role: 'user',
          parts: [
            text('a'),
            text('b'),
            { type: 'media', media: { type: 'image_url', image_url: { url: 'u' } } },
          ],
          extra: { name: 'Ann' },
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'tool-call', id: 'c1', name: 'f', input: { a: 1 }, raw: '{"a": 1.0}' },
          ],
        },
        { role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'f', output: 'sunny' }] },
        { role: 'assistant', parts: [text('It is sunny.')], extra: { refusal: null } },
      ],
      tools: [{ name: 'f', source: { type: 'function', function: { name: 'f' } } }],
      toolChoice: { name: 'f' },
      extra: { model: 'm', temperature: 0.5 },
    });
  });

  it('is read the same from exact JSON, with plain numbers in what is passed on', () => {
    const exact = JSON.stringify(request).replace('"temperature":0.5', '"temperature":0.50');
    expect(acceptConversation(parseExact(exact))).toStrictEqual(acceptConversation(request));
  });

  it('may be as old as functions', () => {
    const old = {
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '' } },
        { role: 'function', name: 'f', content: 'ok' },
      ],
      functions: [{ name: 'f', parameters: {} }],
      function_call: 'auto',
    };
    const { messages, tools, extra } = acceptConversation(old);
    expect(messages).toStrictEqual([
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'call_1', name: 'f', input: {}, raw: '{}' }] },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'call_1', name: 'f', output: 'ok' }],
        extra: { role: 'function' },
      },
    ]);
    expect(tools.map((tool) => tool.name)).toEqual(['f']);
    expect(extra).toBeUndefined();
  });
});

describe('a request of Anthropic’s Messages API', () => {
  it('is read whole, results before the rest of their user message', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'QQ==' } };
    const read = acceptConversation({
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      max_tokens: 10,
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 's' },
            { type: 'redacted_thinking', data: 'd' },
            text('Let me look.'),
            { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
            { type: 'tool_use', id: 't2', name: 'g', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            text('Here:'),
            { type: 'tool_result', tool_use_id: 't2', content: [text('x'), text('y')], is_error: true },
            { type: 'tool_result', tool_use_id: 't1', content: [text('z'), image], cache_control: {} },
            image,
          ],
        },
      ],
      tools: [
        { name: 'f', input_schema: {} },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    expect(read).toStrictEqual({
      messages: [
        {
          role: 'system',
          parts: [{ ...text('Be brief.'), extra: { cache_control: { type: 'ephemeral' } } }],
        },
        { role: 'user', parts: [text('Hi')] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Hm.', extra: { signature: 's' } },
            { type: 'reasoning', text: '', extra: { type: 'redacted_thinking', data: 'd' } },
            text('Let me look.'),
            { type: 'tool-call', id: 't1', name: 'f', input: { a: 1 }, raw: '{"a":1}' },
            { type: 'tool-call', id: 't2', name: 'g', input: {}, raw: '{}' },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'tool-result', callId: 't2', name: 'g', output: 'xy', isError: true },
            {
              type: 'tool-result',
              callId: 't1',
              name: 'f',
              output: 'z',
              extra: { content: [text('z'), image], cache_control: {} },
            },
          ],
        },
        { role: 'user', parts: [text('Here:'), { type: 'media', media: image }] },
      ],
      tools: [
        {
          name: 'f',
          parameters: {},
          source: { type: 'function', function: { name: 'f', parameters: {} } },
        },
      ],
      toolChoice: 'required',
      extra: { max_tokens: 10, tool_choice: { type: 'any', disable_parallel_tool_use: true } },
    });
  });

  it('makes no user message of results alone', () => {
    const result = { type: 'tool_result', tool_use_id: 't' };
    expect(messagesOf({ role: 'user', content: [result] })).toStrictEqual([
      { role: 'tool', parts: [{ type: 'tool-result', callId: 't', output: '' }] },
    ]);
  });
});

describe('messages of the AI SDK', () => {
  it('are read whole', () => {
    const result = (id: string, output: unknown) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: 'f',
      output,
    });
    const bytes = new Uint8Array([1, 2]);
    const read = acceptConversation({
      system: 'Be brief.',
      messages: [
        { role: 'user', content: [text('Hi'), { type: 'image', image: bytes }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.', providerOptions: { a: { b: 1 } } },
            { type: 'tool-call', toolCallId: '1', toolName: 'f', input: { a: 1 } },
          ],
        },
        {
          role: 'tool',
          content: [
            result('1', { type: 'text', value: 'ok' }),
            result('2', { type: 'json', value: { a: [1] } }),
            result('3', { type: 'error-text', value: 'bad' }),
            result('4', { type: 'error-json', value: { e: 1 } }),
            result('5', { type: 'content', value: [text('a'), text('b')] }),
            result('6', { type: 'execution-denied', reason: 'no' }),
          ],
        },
      ],
      tools: { f: { inputSchema: { jsonSchema: { type: 'object' } } } },
      toolChoice: { type: 'tool', toolName: 'f' },
    });
    expect(read.messages[0]).toStrictEqual({ role: 'system', parts: [text('Be brief.')] });
    expect(read.messages[1]?.parts[1]).toStrictEqual({
      type: 'media',
      media: { type: 'image', image: bytes },
    });
    expect(read.messages[2]?.parts).toStrictEqual([
      { type: 'reasoning', text: 'Hm.', extra: { providerOptions: { a: { b: 1 } } } },
      { type: 'tool-call', id: '1', name: 'f', input: { a: 1 }, raw: '{"a":1}' },
    ]);
    expect(read.messages[3]?.parts).toStrictEqual([
      { type: 'tool-result', callId: '1', name: 'f', output: 'ok' },
      { type: 'tool-result', callId: '2', name: 'f', output: { a: [1] } },
      { type: 'tool-result', callId: '3', name: 'f', output: 'bad', isError: true },
      { type: 'tool-result', callId: '4', name: 'f', output: { e: 1 }, isError: true },
      { type: 'tool-result', callId: '5', name: 'f', output: 'ab' },
      { type: 'tool-result', callId: '6', name: 'f', output: 'no', isError: true },
    ]);
    expect(read.tools.map((tool) => tool.parameters)).toEqual([{ type: 'object' }]);
    expect(read.toolChoice).toEqual({ name: 'f' });
  });

  it('of the assistant that hold results of the provider’s tools become two', () => {
    const read = messagesOf({
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: '1', toolName: 'f', input: {} },
        { type: 'tool-result', toolCallId: '1', toolName: 'f', output: { type: 'text', value: 'ok' } },
        text('Done.'),
      ],
    });
    expect(read.map((message) => [message.role, message.parts.length])).toEqual([
      ['assistant', 2],
      ['tool', 1],
    ]);
  });

  it('for the page are refused with advice', () => {
    const parts = [{ type: 'tool-weather', toolCallId: '1', state: 'output-available' }];
    expect(errorOf([{ role: 'assistant', parts }]).message).toContain('convertToModelMessages');
  });
});

describe('content', () => {
  it('that is null or missing is no part, in any role', () => {
    for (const role of ['system', 'user', 'assistant']) {
      expect(messagesOf({ role, content: null })).toStrictEqual([{ role, parts: [] }]);
      expect(messagesOf({ role })).toStrictEqual([{ role, parts: [] }]);
    }
  });

  it('that is empty is one empty part, of an assistant none', () => {
    expect(firstPart({ role: 'user', content: '' })).toStrictEqual(text(''));
    expect(firstPart({ role: 'system', content: '' })).toStrictEqual(text(''));
    expect(firstPart({ role: 'assistant', content: '' })).toBeUndefined();
  });

  it('is never normalised', () => {
    const strange = 'e\u0301 ＜tool_call＞ \u200b \ud83d ﬁ\r\n';
    expect(firstPart({ role: 'user', content: strange })).toStrictEqual(text(strange));
  });

  it('of an assistant keeps parts it does not know at their place', () => {
    const audio = { type: 'audio', id: 'x' };
    expect(messagesOf({ role: 'assistant', content: [text('a'), audio, text('b')] })[0]?.parts).toStrictEqual(
      [text('a'), { type: 'text', text: '', extra: { part: audio } }, text('b')],
    );
    expect(firstPart({ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] })).toStrictEqual({
      ...text('No.'),
      extra: { type: 'refusal' },
    });
  });

  it('carries reasoning in any of its three spellings, first', () => {
    for (const key of ['reasoning_content', 'reasoning', 'thinking']) {
      const [message] = messagesOf({ role: 'assistant', content: 'x', [key]: 'Hm.' });
      expect(message).toStrictEqual({
        role: 'assistant',
        parts: [{ type: 'reasoning', text: 'Hm.' }, text('x')],
      });
    }
    const both = { role: 'assistant', reasoning: 'Hm.', reasoning_content: 'Hm.', reasoning_details: [] };
    expect(messagesOf(both)).toStrictEqual([
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }], extra: { reasoning_details: [] } },
    ]);
    expect(messagesOf({ role: 'assistant', reasoning_content: '' })).toStrictEqual([
      { role: 'assistant', parts: [] },
    ]);
  });
});

describe('calls', () => {
  const inputOf = (args: unknown) => firstPart({ role: 'assistant', tool_calls: [call('c', 'f', args)] });

  it('take arguments as JSON text, kept to the letter, or as an object', () => {
    expect(inputOf(' {"2":1.0,"1":12345678901234567890} ')).toMatchObject({
      input: { 1: 12345678901234567000, 2: 1 },
      raw: ' {"2":1.0,"1":12345678901234567890} ',
    });
    expect(inputOf(parseExact('{"2":1.0,"__proto__":[1]}'))).toMatchObject({
      raw: '{"2":1.0,"__proto__":[1]}',
    });
    expect(inputOf({ a: undefined, b: 2n })).toMatchObject({ input: { b: 2 }, raw: '{"b":2}' });
    for (const none of ['', '  ', null, undefined])
      expect(inputOf(none)).toMatchObject({ input: {}, raw: '{}' });
  });

  it.each(['x', '[]', '1.0', 'null', '"a"', '{"a":1'])('refuse the arguments %s and say where', (args) => {
    const error = errorOf([{ role: 'assistant', tool_calls: [call('c'), call('d', 'f', args)] }]);
    expect(error.code).toBe('bad-conversation');
    expect(error.path).toBe('[0].tool_calls[1].function.arguments');
    expect(error.message).toContain('arguments that are a JSON object');
  });

  it('keep what one API says of them', () => {
    const given = { ...call('c'), index: 0, extra_content: { google: { thought_signature: 's' } } };
    expect(firstPart({ role: 'assistant', tool_calls: [given] })).toMatchObject({
      extra: { index: 0, extra_content: { google: { thought_signature: 's' } } },
    });
  });

  it('without ids get them by counting, past the ids that are used', () => {
    const messages = messagesOf(
      { role: 'assistant', tool_calls: [call(undefined), call('call_2'), { name: 'g', arguments: {} }] },
      { role: 'assistant', tool_calls: [call('')] },
    );
    const ids = messages.flatMap((message) =>
      message.parts.map((part) => part.type === 'tool-call' && part.id),
    );
    expect(ids).toEqual(['call_1', 'call_2', 'call_3', 'call_4']);
  });
});

describe('results', () => {
  const linked = (...messages: unknown[]) =>
    messagesOf(...messages).flatMap((message) =>
      message.role === 'tool' ? message.parts.map((part) => [part.callId, part.name, part.output]) : [],
    );
  const assistant = (...calls: unknown[]) => ({ role: 'assistant', tool_calls: calls });
  const answer = (content: unknown, more: object = {}) => ({ role: 'tool', content, ...more });

  it('without ids answer the open calls in order', () => {
    const calls = assistant(call('a', 'f'), call('b', 'g'), call('c', 'h'));
    expect(linked(calls, answer('1'), answer('2', { tool_call_id: 'a' }), answer('3'))).toEqual([
      ['b', 'g', '1'],
      ['a', 'f', '2'],
      ['c', 'h', '3'],
    ]);
  });

  it('with a name and no id answer the call of that name', () => {
    const calls = assistant(call('a', 'f'), call('b', 'g'));
    expect(linked(calls, answer('1', { name: 'g' }), answer('2', { name: 'f' }))).toEqual([
      ['b', 'g', '1'],
      ['a', 'f', '2'],
    ]);
  });

  it('answer the turn before them, though it came in two messages, and no earlier turn', () => {
    const turn = [assistant(call('a', 'f')), assistant(call('b', 'g'))];
    expect(linked(...turn, answer('1'), answer('2')).map(([id]) => id)).toEqual(['a', 'b']);
    const lost = [assistant(call('a', 'f')), { role: 'user', content: 'x' }, assistant(call('b', 'g'))];
    expect(linked(...lost, answer('1')).map(([id]) => id)).toEqual(['b']);
  });

  it('whose calls are gone stay results', () => {
    expect(linked(answer('1'), answer('2', { tool_call_id: 'x' }))).toEqual([
      ['call_1', undefined, '1'],
      ['x', undefined, '2'],
    ]);
  });

  it('take the name of the nearest call before them where ids repeat', () => {
    const twice = [assistant(call('a', 'f')), answer('1', { tool_call_id: 'a' })];
    const again = [assistant(call('a', 'g')), answer('2', { tool_call_id: 'a' })];
    expect(linked(...twice, ...again).map(([, name]) => name)).toEqual(['f', 'g']);
  });

  it('are text where the content is text, and JSON where it is JSON', () => {
    const outputOf = (content: unknown) =>
      linked(answer(content, { tool_call_id: 'x' })).map(([, , output]) => output);
    expect(outputOf('{"a":1}')).toEqual(['{"a":1}']);
    expect(outputOf([text('a'), text('b')])).toEqual(['ab']);
    expect(outputOf({ a: 1 })).toEqual([{ a: 1 }]);
    expect(outputOf([1, 2])).toEqual([[1, 2]]);
    expect(outputOf([{ type: 'row', text: 'a' }])).toEqual([[{ type: 'row', text: 'a' }]]);
    for (const none of [null, undefined, []]) expect(outputOf(none)).toEqual(['']);
  });

  it('come several in one message in the shape of GLM’s template', () => {
    const calls = assistant(call('a', 'f'), call('b', 'g'));
    expect(linked(calls, answer([{ output: 'o1' }, { output: { x: 1 } }]))).toEqual([
      ['a', 'f', 'o1'],
      ['b', 'g', { x: 1 }],
    ]);
  });

  it('are found in linear time', () => {
    const names = Array.from({ length: 50_000 }, (_, at) => `f${at}`);
    const results = names.map((name) => answer('x', { name: `${name}x` }));
    const start = performance.now();
    expect(linked(assistant(...names.map((name) => call(undefined, name))), ...results)).toHaveLength(50_000);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('tool choice', () => {
  it.each([
    [undefined, 'auto'],
    [null, 'auto'],
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    ['any', 'required'],
    [{ type: 'auto' }, 'auto'],
    [{ type: 'none' }, 'none'],
    [{ type: 'any' }, 'required'],
    [{ type: 'tool', name: 'f' }, { name: 'f' }],
    [{ type: 'tool', toolName: 'f' }, { name: 'f' }],
    [{ type: 'function', name: 'f' }, { name: 'f' }],
    [{ type: 'function', function: { name: 'f' } }, { name: 'f' }],
    [{ name: 'f' }, { name: 'f' }],
    [{ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } }, 'required'],
  ])('%j is %j', (given, expected) => {
    expect(acceptConversation({ messages: [], tool_choice: given }).toolChoice).toEqual(expected);
    expect(
      acceptConversation(parseExact(JSON.stringify({ messages: [], tool_choice: given }))).toolChoice,
    ).toEqual(expected);
  });
});

describe('wrong input', () => {
  it.each([
    [undefined, 1, 'expected a list of messages, or a request that has one as `messages`, found 1'],
    ['messages', { prompt: 'x' }, 'expected a list of messages'],
    ['messages[0]', { messages: ['x'] }, 'expected a message: {role, content}, found "x"'],
    [
      '[0].role',
      [{ role: 'constructor' }],
      'expected one of the roles system, developer, user, assistant, tool',
    ],
    ['[0].content', [{ role: 'user', content: 1 }], 'expected a string, a list of parts, or null, found 1'],
    ['[0].content[0]', [{ role: 'user', content: [1] }], 'expected a part'],
    ['[0].content[0].type', [{ role: 'user', content: [{}] }], 'expected the type of a part'],
    [
      '[0].content[0].text',
      [{ role: 'user', content: [{ type: 'text' }] }],
      'expected a string, found nothing',
    ],
    ['[0].content[0]', [{ role: 'system', content: [{ type: 'image' }] }], 'expected text'],
    ['[0].tool_calls', [{ role: 'assistant', tool_calls: {} }], 'expected a list of calls'],
    [
      '[0].tool_calls[0].function.name',
      [{ role: 'assistant', tool_calls: [{ function: {} }] }],
      'the name of the tool',
    ],
    ['[0].tool_calls[0].id', [{ role: 'assistant', tool_calls: [{ id: 1, name: 'f' }] }], 'expected an id'],
    ['[0].tool_call_id', [{ role: 'tool', tool_call_id: 1 }], 'expected an id'],
    ['tool_choice', { messages: [], tool_choice: 'maybe' }, 'found "maybe"'],
  ])('at %s is named', (path, value, message) => {
    const error = errorOf(value);
    expect(error.code).toBe('bad-conversation');
    expect(error.path || undefined).toBe(path);
    expect(error.message).toContain(message);
  });

  it('never overflows the stack', () => {
    const deep = JSON.parse(`${'[{"a":'.repeat(4000)}1${'}]'.repeat(4000)}`);
    const messages = [
      { role: 'user', content: [{ type: 'image', deep }] },
      { role: 'user', content: 'x', deep },
      { role: 'tool', tool_call_id: 'x', content: deep },
      { role: 'assistant', tool_calls: [call('c', 'f', { deep })] },
      { role: 'assistant', tool_calls: [call('c', 'f', JSON.stringify(deep))] },
    ];
    for (const message of messages) expect(errorOf([message]).message).toContain('512 levels');
  });

  it('touches no prototype', () => {
    const hostile = '{"messages":[{"role":"user","content":"x","__proto__":{"p":1}}],"__proto__":{"p":1}}';
    for (const value of [JSON.parse(hostile), parseExact(hostile)]) {
      const read = acceptConversation(value);
      expect(Object.getOwnPropertyNames(read.extra)).toEqual(['__proto__']);
      expect((read.extra as { p?: unknown }).p).toBeUndefined();
      expect(({} as { p?: unknown }).p).toBeUndefined();
    }
  });
});

describe('a conversation of ours', () => {
  // JSON has no -0 when JavaScript writes it.
  const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
  const more = fc.dictionary(
    fc.constantFrom('title', 'cache_control', 'extra', 'x', '1', '__proto__'),
    json,
    {
      maxKeys: 2,
    },
  );
  const id = fc.option(fc.constantFrom('a', 'b', 'call_1', ''), { nil: undefined });
  const word = fc.constantFrom('', 'x', '<tool_call>', '\ud83d', '{"a": 1.0}', '{}');
  const mix = (base: object) => more.map((extra) => ({ ...extra, ...base }));
  const args = fc.oneof(
    fc.constantFrom('', '{}', '{"b":1.0,"1":-0}'),
    fc.dictionary(fc.constantFrom('a', '1', '__proto__'), json),
  );
  const result = fc.oneof(
    word,
    json,
    fc.constant([{ output: 'x' }, { output: 1 }]),
    fc.constant([text('x')]),
  );
  const part = fc.oneof(
    word.chain((value) => mix(text(value))),
    word.chain((value) => mix({ type: 'thinking', thinking: value })),
    fc.constantFrom(
      { type: 'media', data: 'x' },
      { type: 'media', media: 1 },
      { type: 'redacted_thinking', data: 'x' },
    ),
    fc
      .tuple(id, json)
      .chain(([callId, output]) => mix({ type: 'tool_result', tool_use_id: callId, content: output })),
    fc
      .tuple(id, json)
      .chain(([callId, value]) =>
        mix({ type: 'tool-result', toolCallId: callId, output: { type: 'json', value } }),
      ),
    fc.tuple(id, args).chain(([callId, input]) => mix({ type: 'tool_use', id: callId, name: 'f', input })),
  );
  const content = fc.oneof(word, fc.constant(null), fc.array(part, { maxLength: 4 }));
  const message = fc.oneof(
    word.chain((value) => mix({ role: 'developer', content: value })),
    content.chain((value) => mix({ role: 'user', content: value })),
    fc
      .tuple(content, word, fc.array(fc.tuple(id, args), { maxLength: 3 }))
      .chain(([value, reasoning, calls]) =>
        mix({
          role: 'assistant',
          content: value,
          reasoning_content: reasoning,
          tool_calls: calls.map(([callId, input]) => call(callId, 'f', input)),
        }),
      ),
    fc
      .tuple(id, result)
      .chain(([callId, value]) => mix({ role: 'tool', content: value, tool_call_id: callId })),
  );
  const request = fc
    .tuple(
      fc.array(message, { maxLength: 6 }),
      fc.constantFrom('auto', { type: 'any', x: 1 }, { name: 'f' }),
      more,
    )
    .map(([messages, choice, extra]) => ({
      ...extra,
      messages,
      tool_choice: choice,
      tools: [{ name: 'f', x: 1 }],
    }));

  it('is taken as it is', () => {
    fc.assert(
      fc.property(request, (value) => {
        const once = acceptConversation(value);
        expect(isDeepStrictEqual(acceptConversation(once), once), JSON.stringify(once)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is read the same from plain and from exact JSON, and what was given is not changed', () => {
    fc.assert(
      fc.property(request, (value) => {
        const written = JSON.stringify(value);
        const read = acceptConversation(value);
        expect(isDeepStrictEqual(acceptConversation(JSON.parse(written)), read)).toBe(true);
        expect(isDeepStrictEqual(acceptConversation(parseExact(written)), read)).toBe(true);
        expect(JSON.stringify(value)).toBe(written);
      }),
    );
  });

  it('may have a call whose input was changed since: the stale text is made anew', () => {
    const own = { type: 'tool-call', id: 'c', name: 'f', input: { a: 2 }, raw: '{"a": 1.0}' };
    expect(firstPart({ role: 'assistant', parts: [own] })).toMatchObject({ input: { a: 2 }, raw: '{"a":2}' });
    const kept = { ...own, raw: '{"a": 2.0}' };
    expect(firstPart({ role: 'assistant', parts: [kept] })).toStrictEqual(kept);
  });

  it('keeps asides, media, errors and results that look like an API’s', () => {
    const messages = [
      { role: 'user', parts: [{ type: 'media', media: { a: 1 }, extra: { b: 1 } }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'x', aside: true }] },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'c', output: { type: 'text', value: 'x' }, isError: true }],
      },
    ];
    expect(messagesOf(...messages)).toStrictEqual(messages);
  });
});
