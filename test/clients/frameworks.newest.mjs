// Frameworks that ask for structured output through a plain gateway, with and without tools. They are no dependencies of
// the project: newest.mjs installs them and runs this file.

import { createOpenAI } from '@ai-sdk/openai';
import { configFromFlags, serve } from '@dragoman/gateway';
import { ChatAnthropic } from '@langchain/anthropic';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTextModel } from '../scripted/text-model.js';

const Trip = z.object({ city: z.string(), days: z.number().int() });
const rome = { city: 'Rome', days: 3 };
const prompt = 'Where shall we go?';
const apiKey = 'client-key-4711';
const input = z.object({ city: z.string() });

const fenced = `Sure! Here is the trip:\n\n\`\`\`json\n${JSON.stringify(rome, null, 2)}\n\`\`\`\n`;
const call = (name, made) => `<tool_call>\n${JSON.stringify({ name, arguments: made })}\n</tool_call>`;
const look = `Let me look {first}.\n${call('get_weather', { city: 'Rome' })}`;

let model;
let gateway;
beforeAll(async () => {
  model = await startTextModel();
  const flags = { upstream: model.url, kind: 'chat', dialect: 'hermes', port: 0, log: 'silent' };
  const { config } = configFromFlags(flags, {});
  gateway = await serve({ ...config, shutdownSeconds: 0.2 }, { write: () => {} });
});
afterAll(async () => {
  await gateway.close();
  await model.close();
});
const baseURL = () => `${gateway.url}/v1`;

describe.each([true, false])('@openai/agents, useResponses %s', (useResponses) => {
  const ask = async (tools) => {
    const modelProvider = new OpenAIProvider({ apiKey, baseURL: baseURL(), useResponses });
    const agent = new Agent({ name: 'guide', instructions: 'Plan.', model: 'any', outputType: Trip, tools });
    return (await new Runner({ modelProvider, tracingDisabled: true }).run(agent, prompt)).finalOutput;
  };

  it('outputType', async () => {
    model.script(fenced);
    expect(await ask([])).toEqual(rome);
  });

  it('outputType with tools', async () => {
    model.script(look, fenced);
    const ran = [];
    const execute = async (made) => void ran.push(made) ?? 'sunny';
    const weather = tool({
      name: 'get_weather',
      description: 'Tells the weather.',
      parameters: input,
      execute,
    });
    expect(await ask([weather])).toEqual(rome);
    expect(ran).toEqual([{ city: 'Rome' }]);
  });
});

describe('LangChain', () => {
  const models = {
    'ChatOpenAI, chat': () => new ChatOpenAI({ model: 'any', apiKey, configuration: { baseURL: baseURL() } }),
    'ChatOpenAI, responses': () =>
      new ChatOpenAI({ model: 'any', apiKey, useResponsesApi: true, configuration: { baseURL: baseURL() } }),
    ChatAnthropic: () => new ChatAnthropic({ model: 'any', apiKey, anthropicApiUrl: gateway.url }),
  };
  it.each(Object.entries(models))('withStructuredOutput by jsonSchema: %s', async (_, made) => {
    model.script(fenced);
    expect(
      await made().withStructuredOutput(Trip, { name: 'trip', method: 'jsonSchema' }).invoke(prompt),
    ).toEqual(rome);
  });
  it.each(Object.entries(models))('withStructuredOutput by functionCalling: %s', async (_, made) => {
    model.script(call('trip', rome));
    const method = { name: 'trip', method: 'functionCalling' };
    expect(await made().withStructuredOutput(Trip, method).invoke(prompt)).toEqual(rome);
  });
  it('withStructuredOutput by jsonMode', async () => {
    model.script(fenced);
    const made = models['ChatOpenAI, chat']();
    expect(await made.withStructuredOutput(Trip, { method: 'jsonMode' }).invoke(prompt)).toEqual(rome);
  });
  it.each(Object.entries(models))('bindTools: %s', async (_, made) => {
    model.script(look);
    const weather = langchainTool(async () => 'sunny', {
      name: 'get_weather',
      description: 'W.',
      schema: input,
    });
    const { tool_calls } = await made().bindTools([weather]).invoke(prompt);
    expect(tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Rome' } }]);
  });
});

describe('Mastra', () => {
  const agentOf = (tools) =>
    new MastraAgent({
      id: 'guide',
      name: 'guide',
      instructions: 'Plan.',
      model: createOpenAI({ apiKey, baseURL: baseURL() }).chat('any'),
      tools,
    });

  it('structuredOutput', async () => {
    model.script(fenced);
    const { object } = await agentOf({}).generate(prompt, { structuredOutput: { schema: Trip } });
    expect(object).toEqual(rome);
  });

  it('structuredOutput with tools', async () => {
    model.script(look, fenced);
    const ran = [];
    const get_weather = createTool({
      id: 'get_weather',
      description: 'Tells the weather.',
      inputSchema: input,
      execute: async (made) => void ran.push(made) ?? 'sunny',
    });
    const { object } = await agentOf({ get_weather }).generate(prompt, {
      structuredOutput: { schema: Trip },
    });
    expect(object).toEqual(rome);
    expect(ran).toHaveLength(1);
  });
});
