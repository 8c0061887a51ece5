import { describe, expect, it } from 'vitest';
import { acceptConversation, type Message, parseExact, UsageError } from './index.js';

const messagesOf = (...messages: unknown[]): Message[] => acceptConversation(messages).messages;
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

/** Several text blocks are one text to a model, but an API that gave them apart gets them back apart. */
const texts = (...all: string[]) => all.map((text) => ({ type: 'text', text }));

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
            {
              type: 'tool-result',
              callId: 't2',
              name: 'g',
              output: 'xy',
              isError: true,
              extra: { content: texts('x', 'y') },
            },
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
      { type: 'tool-result', callId: '5', name: 'f', output: 'ab', extra: { content: texts('a', 'b') } },
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
