import { describe, expect, it } from 'vitest';
import { createResponder } from '../reply/respond.js';

const evil = {
  chat_template: 'evil',
  chat_template_kwargs: { a: 'evil' },
  api_base: 'evil',
  nested: { deep: [{ base_url: 'evil', api_key: 'evil' }] },
};
const schema = { type: 'object', properties: { api_key: { type: 'string' }, base_url: { type: 'string' } } };
const parts = { type: 'text', text: 'Hi.', ...evil };

const requests: Record<string, Record<string, unknown>> = {
  '/chat/completions': {
    model: 'm',
    ...evil,
    messages: [{ role: 'user', content: [parts], ...evil }],
    tools: [{ type: 'function', function: { name: 'f', parameters: schema, ...evil }, ...evil }],
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema, ...evil }, ...evil },
  },
  '/messages': {
    model: 'm',
    max_tokens: 5,
    ...evil,
    messages: [{ role: 'user', content: [parts], ...evil }],
    tools: [{ name: 'f', input_schema: schema, ...evil }],
    output_format: { type: 'json_schema', schema, ...evil },
  },
  '/responses': {
    model: 'm',
    ...evil,
    input: [{ role: 'user', content: [{ ...parts, type: 'input_text' }], ...evil }],
    tools: [{ type: 'function', name: 'f', parameters: schema, ...evil }],
    text: { format: { type: 'json_schema', name: 'x', schema, ...evil }, ...evil },
  },
};

const apis = {
  '/chat/completions': 'openai-chat',
  '/messages': 'anthropic-messages',
  '/responses': 'openai-responses',
};

async function sentBy(
  path: string,
  api: (typeof apis)[keyof typeof apis],
  mode: 'emulate' | 'heal' | 'native',
) {
  let sent = '';
  const respond = createResponder({
    mode,
    dialect: 'hermes',
    upstream: {
      url: 'http://up.invalid/v1',
      api: api as 'openai-chat',
      retries: 0,
      fetch: (async (_url: string, init: RequestInit) => {
        sent = String(init.body);
        return new Response('{}', { status: 400 });
      }) as typeof fetch,
    },
  });
  const request = new Request(`http://test.invalid/v1${path}`, {
    method: 'POST',
    body: JSON.stringify(requests[path]),
  });
  await (await respond(request)).text();
  return sent;
}

describe.each(Object.keys(requests))('what a client says at %s to steer the server behind', (path) => {
  it.each(['emulate', 'heal', 'native'] as const)('is not passed on by any API (%s)', async (mode) => {
    for (const api of Object.values(apis)) {
      const sent = await sentBy(path, api, mode);
      expect(sent).toContain('Hi.');
      // In emulation a tool's definition is text for the model, as it came; it steers nothing.
      const steering = mode === 'emulate' ? sent.replaceAll('\\"evil\\"', '') : sent;
      expect(steering).not.toContain('evil');
    }
  });

  it('is not looked for in schemas, which are data', async () => {
    const sent = JSON.parse(await sentBy(path, apis[path as keyof typeof apis], 'heal'));
    const { tools, ...rest } = sent;
    expect(JSON.stringify(tools)).toContain(JSON.stringify(schema));
    expect(JSON.stringify(rest)).toContain(JSON.stringify(schema));
  });
});
