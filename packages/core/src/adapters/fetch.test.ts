import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UpstreamOptions } from '../bridge/index.js';
import { scriptedUpstream } from '../bridge/upstream/scripted-upstream.fixture.js';
import type { Report } from '../model/index.js';
import { dragoman } from './fetch.js';

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing"}}\n</tool_call>';
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };
const messages = [{ role: 'user' as const, content: 'Weather in Beijing?' }];

describe('a fetch for the official clients', () => {
  it('gives the OpenAI client tool calls in process', async () => {
    const fetch = dragoman({ upstream: scriptedUpstream([call]), dialect: 'hermes' });
    const client = new OpenAI({ apiKey: 'none', baseURL: 'http://nowhere.invalid/v1', fetch });
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];
    const answer = await client.chat.completions.create({ model: 'm', messages, tools });
    const made = answer.choices[0]?.message.tool_calls?.[0];
    expect(made).toMatchObject({
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Beijing"}' },
    });
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('gives the Anthropic client tool calls in process', async () => {
    const fetch = dragoman({ upstream: scriptedUpstream([call]), dialect: 'hermes' });
    const client = new Anthropic({ apiKey: 'none', baseURL: 'http://nowhere.invalid', fetch });
    const tools = [{ name: 'get_weather', input_schema: parameters }];
    const stream = client.messages.stream({ model: 'm', max_tokens: 100, messages, tools });
    const answer = await stream.finalMessage();
    expect(answer.content).toMatchObject([
      { type: 'tool_use', name: 'get_weather', input: { city: 'Beijing' } },
    ]);
    expect(answer.stop_reason).toBe('tool_use');
  });

  it('says in the client’s own error what is wrong with a request', async () => {
    const fetch = dragoman({ upstream: scriptedUpstream(['x']), dialect: 'hermes' });
    const client = new OpenAI({ apiKey: 'none', baseURL: 'http://nowhere.invalid/v1', fetch, maxRetries: 0 });
    const wrong = client.chat.completions.create({ model: 'm', messages: [{ role: 'nobody' }] as never });
    await expect(wrong).rejects.toThrow(/messages\[0\]\.role/);
  });
});

describe('the mode of an upstream at an address', () => {
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];
  const body = {
    choices: [{ index: 0, message: { role: 'assistant', content: call }, finish_reason: 'stop' }],
  };
  const asked = async (upstream: Partial<UpstreamOptions>) => {
    const sent: { tools?: unknown }[] = [];
    const upstreamFetch = async (_: string, init: RequestInit) => {
      sent.push(JSON.parse(String(init.body)));
      return Response.json(body);
    };
    const fetch = dragoman({
      upstream: { url: 'http://localhost:11434/v1', ...upstream, fetch: upstreamFetch },
      dialect: 'hermes',
    });
    const client = new OpenAI({ apiKey: 'none', baseURL: 'http://nowhere.invalid/v1', fetch });
    const answer = await client.chat.completions.create({ model: 'm', messages, tools });
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
    const { dragoman: report } = answer as unknown as { dragoman: Report };
    return { report, tools: sent[0]?.tools };
  };

  it('is emulation where nothing tells that it has tools, and the report says so', async () => {
    const { report, tools } = await asked({});
    expect(tools).toBeUndefined();
    expect(report).toMatchObject({ mode: 'emulate', modeFrom: 'default', dialect: 'hermes' });
  });

  it('is healing where it is known to have them: by `tools`, or by the address of the vendor', async () => {
    for (const known of [{ tools: true }, { url: 'https://api.openai.com/v1' }]) {
      const { report, tools } = await asked(known);
      expect(tools).toHaveLength(1);
      expect(report.mode).toBe('heal');
      expect(report.modeFrom).toBeUndefined();
    }
  });

  it('is emulation, without a doubt, where it is known to have none', async () => {
    const { report } = await asked({ tools: false });
    expect([report.mode, report.modeFrom]).toEqual(['emulate', undefined]);
  });
});

describe('a fetch without an upstream', () => {
  const own = globalThis.fetch;
  const calls: { input: string | URL | Request; init: RequestInit | undefined }[] = [];
  const body = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  };
  beforeEach(() => {
    calls.length = 0;
    globalThis.fetch = (async (input: string | URL | Request, init?: RequestInit) => {
      calls.push({ input, init });
      return Response.json(body);
    }) as typeof fetch;
  });
  afterEach(() => {
    globalThis.fetch = own;
  });
  const asked = { method: 'POST', body: JSON.stringify({ model: 'm', messages }) };
  const sentHeaders = (at: number) => new Headers(calls[at]?.init?.headers);

  it('asks where the client points: same address, same query, same key', async () => {
    const fetch = dragoman({ mode: 'emulate', dialect: 'hermes' });
    const headers = { authorization: 'Bearer sk-1', 'openai-organization': 'org', cookie: 'no' };
    await fetch(new URL('http://a.invalid/v1/chat/completions?api-version=1'), { ...asked, headers });
    expect(calls[0]?.input).toBe('http://a.invalid/v1/chat/completions?api-version=1');
    expect(sentHeaders(0).get('authorization')).toBe('Bearer sk-1');
    expect(sentHeaders(0).get('openai-organization')).toBe('org');
    expect(sentHeaders(0).has('cookie')).toBe(false);
  });

  it('mixes up no keys', async () => {
    const fetch = dragoman({ mode: 'emulate', dialect: 'hermes' });
    const keys = ['sk-1', 'sk-2', 'sk-1', undefined];
    for (const key of keys) {
      const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
      await fetch(new Request('http://a.invalid/v1/chat/completions', { ...asked, headers }));
    }
    const seen = keys.map((_, at) => sentHeaders(at).get('authorization'));
    expect(seen).toEqual(['Bearer sk-1', 'Bearer sk-2', 'Bearer sk-1', null]);
  });

  it('passes everything else on as it came', async () => {
    const fetch = dragoman();
    const form = { method: 'POST', body: new FormData(), dispatcher: {} } as RequestInit;
    const others: [string | URL | Request, RequestInit | undefined][] = [
      ['http://a.invalid/v1/models', undefined],
      ['http://a.invalid/v1/files', form],
      [new URL('http://a.invalid/v1/messages/batches'), { method: 'POST' }],
      ['http://a.invalid/v1/chat/completions?limit=2', { method: 'GET' }],
      [new Request('http://a.invalid/v1/responses'), undefined],
    ];
    for (const [input, init] of others) await fetch(input, init);
    expect(calls.map(({ input, init }) => [input, init])).toEqual(others);
    expect(calls[1]?.init).toBe(form);
  });

  it('stops when the client does', async () => {
    const fetch = dragoman({ mode: 'emulate', dialect: 'hermes' });
    const left = fetch('http://a.invalid/v1/chat/completions', {
      ...asked,
      signal: AbortSignal.abort(new Error('left')),
    });
    await expect(left).rejects.toThrow('left');
  });
});
