// The effort and the thinking that clients ask for, and the configuration: in the upstream's body, in the prompt, or in
// the report.

import { describe, expect, it } from 'vitest';
import type { Report } from '../../model/index.js';
import { type ApiName, wireOf } from '../../wire/index.js';
import type { BridgeOptions } from '../options.js';
import { createAsk } from '../reply/create-ask.js';
import { createUpstream } from '../upstream/http-upstream.js';
import { emulate } from './emulate.js';

const user = [{ role: 'user', content: 'Hi' }];
const asks = {
  'openai-chat': (effort: string) => ({ model: 'm', messages: user, reasoning_effort: effort }),
  'openai-responses': (effort: string) => ({ model: 'm', input: 'Hi', reasoning: { effort } }),
  'anthropic-messages': (effort: string) => ({
    model: 'm',
    max_tokens: 9,
    messages: user,
    thinking: { type: 'adaptive' },
    output_config: { effort },
  }),
} satisfies Partial<Record<ApiName, (effort: string) => object>>;
type Api = keyof typeof asks;
const apis = Object.keys(asks) as Api[];

interface Sent {
  body: Record<string, unknown>;
  ignored: string[];
}

async function sentTo(
  kind: 'chat' | 'completion',
  api: Api,
  given: object,
  options: BridgeOptions,
): Promise<Sent> {
  let body: Sent['body'] = {};
  const upstream = createUpstream({
    url: 'http://up.invalid/v1',
    api: kind === 'chat' ? 'openai-chat' : 'openai-completions',
    tools: false,
    async fetch(_, { body: text }) {
      body = JSON.parse(String(text));
      const choice = { index: 0, message: { content: 'Hello' }, text: 'Hello', finish_reason: 'stop' };
      return Response.json({ id: 'c', choices: [choice] });
    },
  });
  const request = wireOf(api).decodeRequest(given);
  let report: Report | undefined;
  for await (const event of emulate(request, upstream, { ...options, signal: new AbortController().signal }))
    if (event.type === 'report') report = event.report;
  return { body, ignored: report?.ignored ?? [] };
}

describe.each(apis)('%s', (api) => {
  it.each(['low', 'medium', 'high'])('has its effort in the body of a chat endpoint: %s', async (effort) => {
    const { body, ignored } = await sentTo('chat', api, asks[api](effort), { dialect: 'hermes' });
    expect(body.reasoning_effort).toBe(effort);
    expect(ignored).toEqual([]);
  });

  it('has its effort in a prompt, where the template has a place for it', async () => {
    const { body, ignored } = await sentTo('completion', api, asks[api]('high'), { dialect: 'harmony' });
    expect(body.prompt).toContain('Reasoning: high');
    expect(ignored).toEqual([]);
  });

  it('has its effort in the prompt of its model, where that of the dialect has none', async () => {
    const asked = { ...asks[api]('low'), model: 'Qwen/Qwen3.8-Max' };
    const { body, ignored } = await sentTo('completion', api, asked, { dialect: 'qwen3-coder' });
    expect(body.prompt).toContain('Reasoning effort is set to low.');
    expect(ignored).toEqual([]);
  });

  it('is told where the template has none', async () => {
    const { ignored } = await sentTo('completion', api, asks[api]('high'), { dialect: 'hermes' });
    const name = { 'openai-chat': 'reasoning_effort', 'openai-responses': 'reasoning.effort' } as const;
    expect(ignored).toEqual([api in name ? name[api as keyof typeof name] : 'output_config.effort']);
  });

  it('is told not to reason, by the configuration', async () => {
    const {
      reasoning_effort: _,
      reasoning: __,
      thinking: ___,
      output_config: ____,
      ...plain
    } = asks[api]('low') as Record<string, unknown>;
    const options = { dialect: 'hermes', render: { thinking: false } };
    expect((await sentTo('chat', api, plain, options)).body.reasoning_effort).toBe('none');
    const { prompt } = (await sentTo('completion', api, plain, options)).body;
    expect(prompt).toMatch(/<think>\n\n<\/think>\n\n$/);
    // What the client asks for comes first.
    if (api !== 'anthropic-messages')
      expect((await sentTo('chat', api, asks[api]('low'), options)).body.reasoning_effort).toBe('low');
  });
});

describe('thinking of the Messages API', () => {
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const body = { model: 'm', max_tokens: 2048, messages: user, thinking };

  it('is told that a budget has no effect, or none of it', async () => {
    const chat = await sentTo('chat', 'anthropic-messages', body, { dialect: 'hermes' });
    expect(chat.ignored).toEqual(['thinking']);
    const prompt = await sentTo('completion', 'anthropic-messages', body, { dialect: 'deepseek-v4' });
    expect(prompt.body.prompt).toMatch(/<think>$/);
    expect(prompt.ignored).toEqual(['thinking.budget_tokens']);
  });
});

it.each(['heal', 'native', 'emulate'] as const)('is told of an effort that was refused: %s', async (mode) => {
  const ask = createAsk({
    mode,
    dialect: 'hermes',
    upstream: {
      url: 'http://up.invalid/v1',
      stream: false,
      async fetch(_, { body }) {
        const choice = { index: 0, message: { content: 'Hello' }, finish_reason: 'stop' };
        return String(body).includes('reasoning_effort')
          ? Response.json({ error: { message: 'unknown: reasoning_effort' } }, { status: 400 })
          : Response.json({ id: 'c', choices: [choice] });
      },
    },
  });
  const request = wireOf('openai-chat').decodeRequest(asks['openai-chat']('high'));
  for (let turn = 0; turn < 2; turn++) {
    let report: Report | undefined;
    for await (const event of ask(request, { signal: new AbortController().signal }))
      if (event.type === 'report') report = event.report;
    expect(report?.ignored).toEqual(['reasoning_effort']);
  }
});
