import { describe, expect, it } from 'vitest';
import { toOpaque } from '../model/fields.js';
import { type ModelRequest, UsageError } from '../model/index.js';
import { isTooDeep } from './depth.js';
import { type ApiName, wireOf } from './index.js';

/** As it comes out of JSON.parse, which takes any depth. */
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const deepText = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const bomb = deep(100_000);

/** Each place of a request that holds what it likes, by API. */
const bodies: Record<string, [path: string, body: object][]> = {
  'openai-chat': [
    ['messages[0]', { messages: bomb }],
    ['metadata', { metadata: bomb }],
    ['tools[0]', { tools: bomb }],
    ['tools[0]', { tools: [{ type: 'function', function: { name: 'f', parameters: { a: bomb } } }] }],
    ['tools[0]', { tools: [{ type: 'web_search', near: bomb }] }],
    ['tool_choice', { tool_choice: bomb }],
    ['stop[0]', { stop: bomb }],
    ['', { stream_options: { x: bomb } }],
    ['messages[0]', { messages: [{ role: 'user', content: [{ type: 'x', y: bomb }] }] }],
    ['messages[0]', { messages: [{ role: 'tool', tool_call_id: 'a', content: bomb }] }],
  ],
  'anthropic-messages': [
    ['messages[0]', { messages: bomb }],
    ['metadata', { metadata: bomb }],
    ['tools[0]', { tools: [{ name: 'f', input_schema: { a: bomb } }] }],
    ['tools[0]', { tools: [{ type: 'web_search_20250305', name: 'web_search', near: bomb }] }],
    ['tool_choice', { tool_choice: { type: 'auto', x: bomb } }],
    ['thinking', { thinking: { type: 'enabled', x: bomb } }],
    ['system', { system: [{ type: 'text', text: 'x', cache_control: bomb }] }],
    ['messages[0]', { messages: [{ role: 'user', content: [{ type: 'x', y: bomb }] }] }],
    ['messages[0]', { messages: [{ role: 'assistant', content: [{ type: 'x', y: bomb }] }] }],
    [
      'messages[0]',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { bomb } }] },
        ],
      },
    ],
    [
      'messages[0]',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: bomb }] }] },
    ],
  ],
  'openai-responses': [
    ['input[0]', { input: bomb }],
    ['metadata', { metadata: bomb }],
    ['tools[0]', { tools: [{ type: 'function', name: 'f', parameters: { a: bomb } }] }],
    ['tools[0]', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'namespace', tools: bomb }] }] }],
    ['tool_choice', { tool_choice: { type: 'x', x: bomb } }],
    ['reasoning', { reasoning: { effort: 'low', x: bomb } }],
    ['input[0]', { input: [{ role: 'user', content: [{ type: 'x', y: bomb }] }] }],
    [
      'input[0]',
      { input: [{ type: 'function_call_output', call_id: 'a', output: [{ type: 'x', y: bomb }] }] },
    ],
    ['input[0]', { input: [{ type: 'reasoning', summary: bomb }] }],
    ['input[0]', { input: [{ type: 'local_shell_call', call_id: 'a', action: { bomb } }] }],
    ['input[0]', { input: [{ type: 'unheard_of', x: bomb }] }],
  ],
};

describe('a value of 100,000 levels', () => {
  for (const [api, places] of Object.entries(bodies)) {
    const least =
      api === 'openai-responses'
        ? { input: 'x' }
        : { max_tokens: 9, messages: [{ role: 'user', content: 'x' }] };
    it.each(places)(`is a clear 400 in a request to ${api}, at %s`, (path, body) => {
      const wire = wireOf(api as ApiName);
      const decode = () => wire.decodeRequest({ model: 'm', ...least, ...body });
      expect(decode).toThrow(expect.objectContaining({ name: 'ApiError', code: 'bad-request' }));
      expect(decode).toThrow(expect.objectContaining({ path: expect.stringContaining(path) }));
    });
  }

  it('is refused by name where only passing on was asked for', () => {
    expect(() => toOpaque(bomb, 'here')).toThrow(UsageError);
    expect(() => toOpaque(bomb, 'here')).toThrow('here: expected at most 512 levels');
  });

  it.each(['openai-chat', 'anthropic-messages', 'openai-responses'] as const)(
    'is a UsageError in a request that a program made for %s',
    (api) => {
      const round: Record<string, unknown> = {};
      round.itself = [round, round];
      for (const input of [{ bomb }, round]) {
        const call = { type: 'tool-call', id: 'a', name: 'f', input } as never;
        const messages: ModelRequest['conversation']['messages'] = [{ role: 'assistant', parts: [call] }];
        const request: ModelRequest = {
          model: 'm',
          conversation: { messages, tools: [], toolChoice: 'auto' },
          settings: {},
          stream: false,
        };
        expect(() => wireOf(api).encodeRequest(request)).toThrow(UsageError);
      }
    },
  );

  it('is not looked for in what a program has added to every object', () => {
    const everywhere = Object.prototype as Record<string, unknown>;
    everywhere.added = {};
    try {
      expect(isTooDeep({ a: 1 })).toBe(false);
    } finally {
      Reflect.deleteProperty(everywhere, 'added');
    }
  });

  it('comes back from a request as it went in, up to the limit', () => {
    const body = { model: 'm', input: 'x', metadata: deep(500) };
    const wire = wireOf('openai-responses');
    expect(wire.encodeRequest(wire.decodeRequest(structuredClone(body)))).toEqual(body);
  });

  it.each([
    [
      'openai-chat',
      (x: unknown) => ({ choices: [{ delta: { tool_calls: [{ function: { name: 'f', arguments: x } }] } }] }),
    ],
    [
      'anthropic-messages',
      (x: unknown) => ({ type: 'content_block_start', content_block: { type: 'zz', x } }),
    ],
    [
      'openai-responses',
      (x: unknown) => ({ type: 'response.output_item.done', item: { type: 'reasoning', content: x } }),
    ],
  ] as const)('is a broken answer in a stream of %s', (api, wrapped) => {
    const text = JSON.stringify(wrapped('HERE')).replace('"HERE"', deepText(100_000));
    const events = wireOf(api).createStreamDecoder().feed(`data: ${text}\n\n`);
    expect(events).toMatchObject([{ type: 'error', error: { code: 'upstream-broken' } }]);
    expect(wireOf(api).decodeResponse(JSON.parse(text))).toMatchObject([
      { type: 'error', error: { code: 'upstream-broken' } },
    ]);
  });
});
