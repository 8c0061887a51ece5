// Odd but honest bodies, as agents send them. Refusing one of these ends a session for good: it is sent again with
// every turn that follows.

import { describe, expect, it } from 'vitest';
import type { Message } from '../model/index.js';
import { type ApiName, wireOf } from './index.js';

const partOf = (messages: Message[], at: number) => messages[at]?.parts[0];

/** The messages; holds the request to what went in. */
function decoded(api: ApiName, body: object): Message[] {
  const wire = wireOf(api);
  const request = wire.decodeRequest(body);
  expect(wire.encodeRequest(request)).toEqual(body);
  return request.conversation.messages;
}

describe('arguments that are no JSON object, in a history', () => {
  const said = [
    ['{"path": "a.ts", "content": "const', { arguments: '{"path": "a.ts", "content": "const' }],
    ['[1]', { arguments: '[1]' }],
    ['"{}"', { arguments: '"{}"' }],
    ['null', {}],
    ['', {}],
    [' ', {}],
    ['{"a": 1.0}', { a: 1 }],
  ] as const;

  it.each(said)('are kept and told to the model by the chat API: %j', (text, input) => {
    const call = { id: 'c1', type: 'function', function: { name: 'write', arguments: text } };
    const messages = decoded('openai-chat', {
      model: 'm',
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'Error: invalid JSON' },
      ],
    });
    expect(partOf(messages, 1)).toMatchObject({ type: 'tool-call', name: 'write', input });
  });

  it.each(said)('are kept and told to the model by the Responses API: %j', (text, input) => {
    const messages = decoded('openai-responses', {
      model: 'm',
      input: [{ type: 'function_call', call_id: 'c1', name: 'write', arguments: text }],
    });
    expect(partOf(messages, 0)).toMatchObject({ type: 'tool-call', name: 'write', input });
  });

  it('are kept in the older form of a call, too', () => {
    const messages = decoded('openai-chat', {
      model: 'm',
      messages: [{ role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a"' } }],
    });
    expect(partOf(messages, 0)).toMatchObject({ input: { arguments: '{"a"' } });
  });

  it('give way to an input that was set since', () => {
    const wire = wireOf('openai-chat');
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a"' } };
    const request = wire.decodeRequest({
      model: 'm',
      messages: [{ role: 'assistant', content: null, tool_calls: [call] }],
    });
    Object.assign(partOf(request.conversation.messages, 0) ?? {}, { input: { a: 2 } });
    expect(wire.encodeRequest(request)).toMatchObject({
      messages: [{ tool_calls: [{ function: { arguments: '{"a":2}' } }] }],
    });
  });
});

describe('what a tool answered', () => {
  it('is its value where blocks are of a kind nobody knows: a search for tools refers to them', () => {
    const content = [{ type: 'tool_reference', tool_name: 'mcp__files__read' }];
    const body = {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content }] }],
    };
    const result = partOf(decoded('anthropic-messages', body), 0);
    expect(result).toMatchObject({ type: 'tool-result', output: content });
    expect(result?.extra?.content).toBeUndefined();
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty string', ''],
    ['an empty list', []],
  ])('may be %s', (_, content) => {
    const result = { type: 'tool_result', tool_use_id: 't1', ...(content !== undefined && { content }) };
    const messages = [{ role: 'user', content: [result] }];
    expect(partOf(decoded('anthropic-messages', { model: 'm', max_tokens: 9, messages }), 0)).toMatchObject({
      output: '',
    });
  });
});

describe('a request of an agent', () => {
  it.each<[ApiName, string, object]>([
    [
      'openai-chat',
      'nulls for all that is not set',
      { tools: null, tool_choice: null, stop: null, stream: null, max_tokens: null, reasoning_effort: null },
    ],
    ['openai-chat', 'no limits as -1', { max_tokens: -1, top_k: -1, seed: -1 }],
    [
      'openai-chat',
      'two ways to ask for thoughts',
      { reasoning: { effort: 'high' }, reasoning_effort: 'xhigh', enable_thinking: true },
    ],
    ['openai-chat', 'a choice without tools', { tools: [], tool_choice: 'auto', parallel_tool_calls: true }],
    [
      'openai-chat',
      'what providers want back of a thought',
      {
        messages: [
          {
            role: 'assistant',
            content: '',
            reasoning: 'Hm',
            reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }],
            tool_calls: [
              {
                index: 0,
                id: 'a',
                type: 'function',
                function: { name: 'f', arguments: '{}' },
                extra_content: { google: { thought_signature: 's' } },
              },
            ],
          },
        ],
      },
    ],
    [
      'openai-chat',
      'a message without content',
      { messages: [{ role: 'user', content: 'x' }, { role: 'assistant' }] },
    ],
    [
      'anthropic-messages',
      'nulls for all that is not set',
      {
        max_tokens: 9,
        system: null,
        stop_sequences: null,
        tools: null,
        tool_choice: null,
        thinking: null,
        stream: null,
      },
    ],
    [
      'anthropic-messages',
      'tools of the provider',
      {
        max_tokens: 9,
        tools: [
          { type: 'bash_20250124', name: 'bash' },
          { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
          { name: 'f', input_schema: { type: 'object' }, defer_loading: true },
        ],
      },
    ],
    [
      'anthropic-messages',
      'new ways to think',
      {
        max_tokens: 9,
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'high' },
        context_management: { edits: [] },
      },
    ],
    [
      'anthropic-messages',
      'a beginning of the answer',
      {
        max_tokens: 9,
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: 'Sure' },
        ],
      },
    ],
    [
      'openai-responses',
      'nulls for all that is not set',
      {
        instructions: null,
        tools: null,
        tool_choice: null,
        reasoning: null,
        text: null,
        stream: null,
        include: null,
        previous_response_id: null,
      },
    ],
    [
      'openai-responses',
      'thoughts that are sealed, or lost',
      {
        input: [
          { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' },
          { type: 'reasoning', summary: [], content: null, encrypted_content: null },
        ],
      },
    ],
    [
      'openai-responses',
      'items without ids or status',
      {
        input: [
          {
            type: 'message',
            id: null,
            status: null,
            role: 'assistant',
            content: [{ type: 'output_text', text: 'x', annotations: null }],
          },
        ],
      },
    ],
    [
      'openai-responses',
      'parts of the chat API',
      {
        input: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'x' },
              { type: 'image_url', image_url: { url: 'https://x' } },
            ],
          },
        ],
      },
    ],
    [
      'openai-responses',
      'a tool of free text',
      {
        tools: [
          {
            type: 'custom',
            name: 'apply_patch',
            format: { type: 'grammar', syntax: 'lark', definition: 'x' },
          },
        ],
        tool_choice: { type: 'custom', name: 'apply_patch' },
      },
    ],
  ])('by %s may hold %s', (api, _, more) => {
    const least =
      api === 'openai-responses' ? { input: 'x' } : { messages: [{ role: 'user', content: 'x' }] };
    decoded(api, { model: 'm', ...least, ...more });
  });
});
