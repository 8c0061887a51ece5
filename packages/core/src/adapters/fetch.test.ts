import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { scriptedUpstream } from '../bridge/scripted-upstream.fixture.js';
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
