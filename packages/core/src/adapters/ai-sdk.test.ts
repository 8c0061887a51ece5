import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createResponder } from '../bridge/index.js';
import { scriptedUpstream } from '../bridge/upstream/scripted-upstream.fixture.js';
import { dragomanMiddleware } from './ai-sdk.js';

const call =
  'Let me see.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing"}}\n</tool_call>';

/** A model of the SDK's that only writes text: what it knows of tools comes from the middleware. */
function textModel(...texts: string[]) {
  const upstream = scriptedUpstream(texts);
  const respond = createResponder({ upstream, dialect: 'hermes', reasks: 0 });
  const provider = createOpenAICompatible({
    name: 'text',
    baseURL: 'http://nowhere.invalid/v1',
    fetch: (input, init) => respond(new Request(input, init)),
  });
  return { upstream, model: provider('some-model') };
}

const tools = {
  get_weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `sunny in ${city}`,
  }),
};

describe('the middleware for the AI SDK', () => {
  const middleware = dragomanMiddleware({ dialect: 'hermes' });

  it('runs tools with a model that only writes text', async () => {
    const { upstream, model } = textModel(call, 'It is sunny in Beijing.');
    const wrapped = wrapLanguageModel({ model, middleware });
    const result = await generateText({
      model: wrapped,
      tools,
      prompt: 'Weather?',
      stopWhen: stepCountIs(3),
    });
    expect(result.text).toBe('It is sunny in Beijing.');
    expect(result.steps[0]?.toolCalls).toMatchObject([
      { toolName: 'get_weather', input: { city: 'Beijing' } },
    ]);
    expect(result.steps[0]?.providerMetadata?.dragoman).toMatchObject({
      report: { mode: 'emulate', modeFrom: 'default', dialect: 'hermes' },
    });
    expect(JSON.stringify(upstream.asked[1]?.conversation.messages)).toContain('sunny in Beijing');
    expect(upstream.asked.every(({ conversation }) => conversation.tools.length === 0)).toBe(true);
  });

  it('streams text and arguments', async () => {
    const { model } = textModel(call, 'It is sunny in Beijing.');
    const wrapped = wrapLanguageModel({ model, middleware });
    const result = streamText({ model: wrapped, tools, prompt: 'Weather?', stopWhen: stepCountIs(3) });
    const types: string[] = [];
    for await (const part of result.fullStream) if (types.at(-1) !== part.type) types.push(part.type);
    expect(types).toEqual(
      expect.arrayContaining([
        'text-start',
        'text-delta',
        'text-end',
        'tool-input-start',
        'tool-call',
        'tool-result',
      ]),
    );
    expect(types).not.toContain('error');
    expect(await result.text).toBe('It is sunny in Beijing.');
  });

  it('heals a model that has tools and leaks', async () => {
    const { model } = textModel(call, 'It is sunny in Beijing.');
    const healing = dragomanMiddleware({ mode: 'heal', watch: ['hermes'] });
    const wrapped = wrapLanguageModel({ model, middleware: healing });
    const result = await generateText({
      model: wrapped,
      tools,
      prompt: 'Weather?',
      stopWhen: stepCountIs(3),
    });
    expect(result.text).toBe('It is sunny in Beijing.');
  });
});
