// Structured output with the official clients, through a gateway, over a model that only writes text: it puts its JSON
// in a fence, makes mistakes in it, answers in prose first. Each client gets the object that it asked for.

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { configFromFlags, type Gateway, serve } from '@dragoman/gateway';
import {
  generateObject,
  generateText,
  type LanguageModel,
  Output,
  stepCountIs,
  streamObject,
  tool,
} from 'ai';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTextModel, type TextModel } from '../scripted/text-model.js';
import { CLIENT_KEY as apiKey } from './client.js';

const Trip = z.object({ city: z.string(), days: z.number().int(), tags: z.array(z.string()) });
const rome = { city: 'Rome', days: 3, tags: ['old', 'warm'] };
const prompt = 'Where shall we go?';
const messages = [{ role: 'user' as const, content: prompt }];

const json = JSON.stringify(rome, null, 2);
const fenced = `Sure! Here is the trip:\n\n\`\`\`json\n${json}\n\`\`\`\n\nEnjoy {Rome}!`;
const faulty = "{'city': 'Rome', days: \"3\", \"tags\": ['old', 'warm',]}";
const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>';

/** What the model writes, until the object is there: each is one answer of the client. */
const scripts: Record<string, string[]> = {
  'JSON alone': [json],
  'in a fence, with prose': [fenced],
  'JSON with mistakes': [faulty],
  'prose at first': ['We could go to Rome.', json],
  'a wrong object at first': ['{"destination": "Rome"}', fenced],
};

let model: TextModel;
let gateway: Gateway;

beforeAll(async () => {
  model = await startTextModel();
  const flags = {
    upstream: model.url,
    kind: 'chat',
    dialect: 'hermes',
    port: 0,
    log: 'silent',
  };
  const result = configFromFlags(flags, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  gateway = await serve({ ...result.config, shutdownSeconds: 0.2 }, { write: () => {} });
});
afterAll(async () => {
  await gateway.close();
  await model.close();
});

const openai = () => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const anthropic = () => new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 });
const providers: Record<string, () => LanguageModel> = {
  'openai.responses': () => createOpenAI({ apiKey, baseURL: `${gateway.url}/v1` })('any'),
  'openai.chat': () => createOpenAI({ apiKey, baseURL: `${gateway.url}/v1` }).chat('any'),
  'openai-compatible': () =>
    createOpenAICompatible({
      name: 'dragoman',
      apiKey,
      baseURL: `${gateway.url}/v1`,
      supportsStructuredOutputs: true,
    })('any'),
  anthropic: () => createAnthropic({ apiKey, baseURL: `${gateway.url}/v1` })('claude-sonnet-4-5'),
};

const clients: Record<string, () => Promise<unknown>> = {
  'openai chat.completions.parse': async () => {
    const response_format = zodResponseFormat(Trip, 'trip');
    const { choices } = await openai().chat.completions.parse({ model: 'any', messages, response_format });
    return choices[0]?.message.parsed;
  },
  'openai responses.parse': async () => {
    const text = { format: zodTextFormat(Trip, 'trip') };
    return (await openai().responses.parse({ model: 'any', input: prompt, text })).output_parsed;
  },
  'anthropic messages.parse': async () => {
    const output_config = { format: zodOutputFormat(Trip) };
    const asked = { model: 'any', max_tokens: 1000, messages, output_config };
    return (await anthropic().messages.parse(asked)).parsed_output;
  },
  ...Object.fromEntries(
    Object.entries(providers).map(([name, provider]) => [
      `ai generateObject, ${name}`,
      async () => (await generateObject({ model: provider(), schema: Trip, prompt, maxRetries: 0 })).object,
    ]),
  ),
};

const streams: Record<string, (onText: () => void) => Promise<unknown>> = {
  'openai chat.completions.stream': async (onText) => {
    const response_format = zodResponseFormat(Trip, 'trip');
    const stream = openai().chat.completions.stream({ model: 'any', messages, response_format });
    const { choices } = await stream.on('content.delta', onText).finalChatCompletion();
    return choices[0]?.message.parsed;
  },
  'openai responses.stream': async (onText) => {
    const text = { format: zodTextFormat(Trip, 'trip') };
    const stream = openai().responses.stream({ model: 'any', input: prompt, text });
    return (await stream.on('response.output_text.delta', onText).finalResponse()).output_parsed;
  },
  'anthropic messages.stream': async (onText) => {
    const output_config = { format: zodOutputFormat(Trip) };
    const asked = { model: 'any', max_tokens: 1000, messages, output_config };
    return (await anthropic().messages.stream(asked).on('text', onText).finalMessage()).parsed_output;
  },
  'ai streamObject, openai.chat': async (onText) => {
    const made = streamObject({ model: providers['openai.chat']?.() as LanguageModel, schema: Trip, prompt });
    for await (const _ of made.partialObjectStream) onText();
    return made.object;
  },
};

describe.each(Object.entries(scripts))('a model that writes %s', (_, script) => {
  it.each(Object.entries(clients))('%s', async (_, ask) => {
    model.script(...script);
    expect(await ask()).toEqual(rome);
    expect(model.requests).toHaveLength(script.length);
  });
  it.each(Object.entries(streams))('%s', async (_, ask) => {
    model.script(...script);
    let seen = 0;
    expect(await ask(() => seen++)).toEqual(rome);
    expect(seen).toBeGreaterThan(3);
  });
});

describe('a model with tools', () => {
  it.each(Object.entries(providers))('ai Output.object, %s', async (_, provider) => {
    model.script(`Let me look {first}.\n${call}`, fenced);
    const ran: unknown[] = [];
    const { output, steps } = await generateText({
      model: provider(),
      prompt,
      maxRetries: 0,
      output: Output.object({ schema: Trip }),
      stopWhen: stepCountIs(3),
      tools: {
        get_weather: tool({
          inputSchema: z.object({ city: z.string() }),
          execute: async (input) => {
            ran.push(input);
            return 'sunny';
          },
        }),
      },
    });
    expect(output).toEqual(rome);
    expect(steps).toHaveLength(2);
    expect(ran).toEqual([{ city: 'Rome' }]);
  });

  it('openai chat.completions.parse and responses.parse: calls first, then the object', async () => {
    const parameters = {
      type: 'object',
      properties: { city: { type: 'string' } },
      additionalProperties: false,
    };
    const described = { name: 'get_weather', parameters, strict: true };
    model.script(`Let me look.\n${call}`, `Let me look.\n${call}`);
    const chat = await openai().chat.completions.parse({
      model: 'any',
      messages,
      response_format: zodResponseFormat(Trip, 'trip'),
      tools: [{ type: 'function', function: described }],
    });
    expect(chat.choices[0]?.message).toMatchObject({ parsed: null, tool_calls: [{ type: 'function' }] });
    const responses = await openai().responses.parse({
      model: 'any',
      input: prompt,
      text: { format: zodTextFormat(Trip, 'trip') },
      tools: [{ type: 'function', ...described }],
    });
    expect(responses.output).toMatchObject([{ type: 'function_call', name: 'get_weather' }]);
    expect(responses.output_parsed).toBeNull();
  });

  it('anthropic messages.parse: calls first, then the object', async () => {
    model.script(`Let me look.\n${call}`);
    const { content, parsed_output } = await anthropic().messages.parse({
      model: 'any',
      max_tokens: 1000,
      messages,
      output_config: { format: zodOutputFormat(Trip) },
      tools: [
        { name: 'get_weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } },
      ],
    });
    expect(content).toMatchObject([{ type: 'tool_use', name: 'get_weather' }]);
    expect(parsed_output).toBeNull();
  });
});
