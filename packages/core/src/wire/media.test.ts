import { describe, expect, it } from 'vitest';
import type { Message, ModelRequest } from '../model/index.js';
import { type ApiName, wireOf } from './index.js';

const png = 'data:image/png;base64,AAAA';
const pdf = 'data:application/pdf;base64,AAAA';
const web = 'https://example.com/a.png';

/** The same in every spelling: image inline, image by address, file inline. */
const spellings: Record<string, [inline: object, address: object | undefined, file: object | undefined]> = {
  'openai-chat': [
    { type: 'image_url', image_url: { url: png } },
    { type: 'image_url', image_url: { url: web } },
    { type: 'file', file: { file_data: pdf, filename: 'a.pdf' } },
  ],
  'openai-responses': [
    { type: 'input_image', image_url: png, detail: 'auto' },
    { type: 'input_image', image_url: web, detail: 'auto' },
    { type: 'input_file', file_data: pdf, filename: 'a.pdf' },
  ],
  'anthropic-messages': [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'image', source: { type: 'url', url: web } },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
      title: 'a.pdf',
    },
  ],
  mcp: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, undefined, undefined],
  'ai-sdk': [
    { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
    { type: 'image-url', url: web },
    { type: 'file-data', data: 'AAAA', mediaType: 'application/pdf', filename: 'a.pdf' },
  ],
};
const apis: ApiName[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];

function requestOf(messages: Message[]): ModelRequest {
  return {
    model: 'm',
    conversation: { messages, tools: [], toolChoice: 'auto' },
    settings: {},
    stream: false,
  };
}

describe('an image or a file', () => {
  for (const [from, media] of Object.entries(spellings)) {
    it.each(apis)(`in the spelling of ${from} is said in that of %s`, (to) => {
      for (const [at, block] of media.entries()) {
        if (block === undefined) continue;
        const parts: Message['parts'] = [{ type: 'media', media: block }];
        const body = wireOf(to).encodeRequest(requestOf([{ role: 'user', parts } as Message]));
        const [message] = (body.messages ?? body.input) as { content: Record<string, unknown>[] }[];
        expect(message?.content[0]).toEqual(spellings[to]?.[at]);
      }
    });
  }
});

describe('an image that a tool gave', () => {
  const call = { name: 'shot', input: {} };
  const bodies: Record<string, (content: unknown) => object> = {
    'openai-chat': (content) => ({
      messages: [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'shot', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content },
        { role: 'user', content: 'And?' },
      ],
    }),
    'openai-responses': (output) => ({
      input: [
        { role: 'user', content: 'Look.' },
        { type: 'function_call', call_id: 'c1', name: 'shot', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output },
        { role: 'user', content: 'And?' },
      ],
    }),
    'anthropic-messages': (content) => ({
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', ...call }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
        { role: 'user', content: 'And?' },
      ],
    }),
  };
  const textTypes: Record<string, string> = { 'openai-responses': 'input_text' };
  const listOf = (api: ApiName) => [
    { type: textTypes[api] ?? 'text', text: 'Here.' },
    spellings[api]?.[0] as object,
  ];

  it.each(apis)('stands beside the text, where everyone looks for it, in %s', (api) => {
    const request = wireOf(api).decodeRequest({ model: 'm', ...bodies[api]?.(listOf(api)) });
    const [, , answered] = request.conversation.messages;
    expect(answered?.parts[0]).toMatchObject({
      type: 'tool-result',
      output: 'Here.',
      extra: { content: listOf(api) },
    });
  });

  for (const from of apis) {
    it.each(apis)(`reaches %s from ${from}`, (to) => {
      const body = { model: 'm', ...bodies[from]?.(listOf(from)) };
      const { api: _, ...request } = wireOf(from).decodeRequest(body);
      const encoded = JSON.stringify(wireOf(to).encodeRequest(request));
      expect(encoded).toContain(JSON.stringify(spellings[to]?.[0]));
      expect(encoded.split('AAAA')).toHaveLength(2);
      expect(encoded).toContain('Here.');
    });
  }

  it('is the user’s in the chat API, behind all results of the turn', () => {
    const { api: _, ...request } = wireOf('openai-responses').decodeRequest({
      model: 'm',
      input: [
        { type: 'function_call', call_id: 'c1', name: 'shot', arguments: '{}' },
        { type: 'function_call', call_id: 'c2', name: 'shot', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: listOf('openai-responses') },
        { type: 'function_call_output', call_id: 'c2', output: 'Fine.' },
      ],
    });
    const { messages } = wireOf('openai-chat').encodeRequest(request) as { messages: { role: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'user']);
    expect(messages[3]).toMatchObject({ content: [{ type: 'image_url', image_url: { url: png } }] });
  });
});
