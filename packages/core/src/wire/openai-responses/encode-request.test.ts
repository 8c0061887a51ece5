import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../model/index.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';

const { codex } = JSON.parse(readFileSync(new URL('./bodies.fixture.json', import.meta.url), 'utf8'));

describe('what is changed in a decoded request', () => {
  const edited = (change: (request: ModelRequest) => void, body: object = codex) => {
    const request = decodeRequest(structuredClone(body));
    change(request);
    return encodeRequest(request) as typeof codex & Record<string, unknown>;
  };
  const part = (request: ModelRequest, message: number, at: number) =>
    request.conversation.messages[message]?.parts[at] as never;

  it('shows in texts, calls, results and thoughts, and nowhere else', () => {
    const encoded = edited((request) => {
      Object.assign(part(request, 0, 0), { text: 'New.' });
      Object.assign(part(request, 2, 0), { text: 'Fix that.' });
      Object.assign(part(request, 3, 0), { text: 'Think.' });
      Object.assign(part(request, 3, 2), { input: { command: ['pwd'] } });
      Object.assign(part(request, 4, 1), { output: 'changed' });
      Object.assign(part(request, 5, 0), { input: { input: 'patch' } });
    });
    const expected = structuredClone(codex) as { instructions: string; input: Record<string, unknown>[] };
    expected.instructions = 'New.';
    Object.assign(expected.input[1]!, { content: [{ type: 'input_text', text: 'Fix that.' }] });
    expected.input[3] = {
      type: 'reasoning',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'Think.' }],
    };
    Object.assign(expected.input[5]!, { arguments: '{"command":["pwd"]}' });
    const { output } = expected.input[9] as { output: Record<string, unknown>[] };
    Object.assign(expected.input[9]!, { output: [{ type: 'input_text', text: 'changed' }, output.at(-1)] });
    Object.assign(expected.input[10]!, { input: 'patch' });
    expect(encoded).toEqual(expected);
  });

  it('shows in settings, the choice of tools, the stream and the model', () => {
    const encoded = edited((request) => {
      Object.assign(request, { model: 'other', stream: false });
      request.settings = { maxTokens: 5, temperature: 1, topP: 0.5, parallelCalls: false, thinking: false };
      request.conversation.toolChoice = { name: 'collab__spawn' };
    });
    expect(encoded).toMatchObject({
      model: 'other',
      max_output_tokens: 5,
      temperature: 1,
      top_p: 0.5,
      parallel_tool_calls: false,
      reasoning: { effort: 'none', summary: 'auto' },
      tool_choice: { type: 'function', name: 'spawn', namespace: 'collab' },
    });
    expect(encoded.stream ?? false).toBe(false);
  });

  it('shows in tools that are changed, removed and added', () => {
    const encoded = edited(({ conversation }) => {
      Object.assign(conversation.tools[0]!, { description: 'Lists' });
      conversation.tools = [...conversation.tools, { name: 'new' }];
    });
    expect(encoded.tools).toMatchObject([
      { name: 'shell', description: 'Lists' },
      { type: 'namespace' },
      {},
      {},
      { name: 'new', strict: false, parameters: { type: 'object' } },
    ]);
    const fewer = edited(({ conversation }) => {
      conversation.tools = conversation.tools.slice(2);
    });
    expect(fewer.tools).toEqual([
      { ...codex.tools[1], tools: [{ type: 'custom', name: 'x' }] },
      ...codex.tools.slice(2),
    ]);
  });

  it('shows in messages that are added and removed', () => {
    const encoded = edited(({ conversation }) => {
      conversation.messages.splice(0, 2);
      conversation.messages.push({ role: 'user', parts: [{ type: 'text', text: 'More.' }] });
    });
    expect(encoded).not.toHaveProperty('instructions');
    expect(encoded.input.slice(-2)).toEqual([{ role: 'user', content: 'More.' }, codex.input.at(-1)]);
    const longer = edited(({ conversation }) => conversation.messages.push(conversation.messages[0]!), {
      model: 'm',
      input: 'a',
    });
    expect(longer.input).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: 'a' },
    ]);
  });
});

describe('a request that came by another API', () => {
  const extra = {
    type: 'x',
    'dragoman:notes': { string: false, before: ['no'], tools: [], item: { no: 1 } },
  };
  const foreign: ModelRequest = {
    api: 'openai-chat',
    model: 'm',
    conversation: {
      messages: [
        {
          role: 'system',
          parts: [
            { type: 'text', text: 'Be ', extra },
            { type: 'text', text: 'brief.' },
          ],
          extra,
        },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'See' },
            { type: 'media', media: { type: 'image_url', image_url: { url: 'https://x' } } },
          ],
          extra,
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Hm', extra },
            { type: 'text', text: '' },
            { type: 'text', text: 'Look.', extra },
            { type: 'tool-call', id: 'c1', name: 'read', input: { n: 1 }, raw: '{"n": 1.0}', extra },
            { type: 'tool-call', id: 'c2', name: 'read', input: {} },
          ],
          extra,
        },
        {
          role: 'tool',
          parts: [
            { type: 'tool-result', callId: 'c1', output: { a: 1 }, extra },
            { type: 'tool-result', callId: 'c2', output: 'b' },
          ],
        },
        { role: 'system', parts: [{ type: 'text', text: 'Hurry.' }] },
      ],
      tools: [
        { name: 'read', description: 'Reads', parameters: { type: 'object' }, extra: { strict: true } },
      ],
      toolChoice: { name: 'read' },
    },
    settings: { maxTokens: 9, thinking: true },
    stream: true,
    extra: { logit_bias: {}, ...extra },
  };

  it('is said in the words of this one', () => {
    expect(encodeRequest(foreign)).toStrictEqual({
      model: 'm',
      store: false,
      stream: true,
      max_output_tokens: 9,
      reasoning: { effort: 'medium' },
      instructions: 'Be brief.',
      tools: [
        {
          type: 'function',
          name: 'read',
          description: 'Reads',
          parameters: { type: 'object' },
          strict: false,
        },
      ],
      tool_choice: { type: 'function', name: 'read' },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: 'https://x', detail: 'auto' },
          ],
        },
        { role: 'assistant', content: 'Look.' },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"n": 1.0}' },
        { type: 'function_call', call_id: 'c2', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c2', output: 'b' },
        { role: 'system', content: 'Hurry.' },
      ],
    });
  });

  it('has no tools if there are none', () => {
    const bare: ModelRequest = {
      model: 'm',
      conversation: { messages: [], tools: [], toolChoice: 'auto' },
      settings: {},
      stream: false,
    };
    expect(encodeRequest(bare)).toStrictEqual({ model: 'm', input: [], store: false });
  });

  it.each([
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
    ],
    [
      { type: 'file', file: { file_id: 'f' } },
      { type: 'input_file', file_id: 'f' },
    ],
  ])('says %j as %j', (media, part) => {
    const conversation = {
      ...foreign.conversation,
      messages: [{ role: 'user', parts: [{ type: 'media', media }] }] as never,
    };
    expect(encodeRequest({ ...foreign, conversation }).input).toMatchObject([{ content: [part] }]);
  });

  it('is refused with the place of a sound, which cannot be said', () => {
    const media = { type: 'input_audio', input_audio: {} };
    const messages = [
      { role: 'system', parts: [] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'media', media },
        ],
      },
    ] as never;
    const encode = () => encodeRequest({ ...foreign, conversation: { ...foreign.conversation, messages } });
    expect(encode).toThrow(
      expect.objectContaining({ code: 'unsupported-media', path: 'messages[1].parts[1]' }),
    );
  });
});
