// Real clients through a plain gateway (`dragoman serve --upstream`) in front of a model that only writes text: five
// turns with tools by references to items, and reasoning that comes back to the model, with and without state.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configFromFlags, type Flags } from '../index.js';
import { type Gateway, serve } from './serve.js';

const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>';

interface Body {
  messages: { role: string; content: string }[];
  reasoning_effort?: string;
}

let bodies: Body[] = [];
const closers: (() => Promise<unknown>)[] = [];
let upstreamUrl = '';
let refusesEffort = false;

/** Writes hermes as text: it reasons, calls the tool, and after a result answers. Each answer has its own thought. */
function answerTo({ messages }: Body): string {
  const thought = `<think>\nThought ${bodies.length} of the model.\n</think>\n\n`;
  const answered = messages.at(-1)?.content.includes('<tool_response>');
  return `${thought}${answered ? `It is sunny, says answer ${bodies.length}.` : CALL}`;
}

beforeEach(async () => {
  bodies = [];
  refusesEffort = false;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text) as Body;
    if (refusesEffort && body.reasoning_effort !== undefined) {
      const message = 'Unrecognized request argument supplied: reasoning_effort';
      response.writeHead(400).end(JSON.stringify({ error: { message } }));
      return;
    }
    bodies.push(body);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (choice: object) => `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`;
    response.write(chunk({ index: 0, delta: { content: answerTo(body) } }));
    response.end(`${chunk({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  closers.push(() => new Promise((closed) => server.close(closed)));
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(more: Flags = {}): Promise<Gateway> {
  const flags = { upstream: upstreamUrl, dialect: 'hermes', port: 0, log: 'silent', ...more };
  const result = configFromFlags(flags, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const gateway = await serve({ ...result.config, shutdownSeconds: 0.1 });
  closers.push(() => gateway.close());
  return gateway;
}

/** The thoughts that the model got back with a request. */
const thoughtsIn = (body: Body | undefined) =>
  [...JSON.stringify(body?.messages).matchAll(/Thought (\d+) of the model/g)].map(([, number]) =>
    Number(number),
  );

describe('openai() of the AI SDK', () => {
  const tools = {
    get_weather: tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => `Sunny in ${city}`,
    }),
  };

  it.each(['whole', 'streamed'])('makes five turns with tools: %s', async (how) => {
    const { url } = await start();
    const sent: string[] = [];
    const model = createOpenAI({
      apiKey: 'k',
      baseURL: `${url}/v1`,
      fetch: (input, init) => {
        sent.push(String(init?.body));
        return fetch(input, init);
      },
    })('m');
    let messages: ModelMessage[] = [{ role: 'user', content: 'Weather in Rome?' }];
    for (let turn = 1; turn <= 5; turn++) {
      const options = { model, tools, messages, stopWhen: stepCountIs(3) };
      const result = how === 'whole' ? await generateText(options) : streamText(options);
      expect(await result.text).toBe(`It is sunny, says answer ${2 * turn}.`);
      const { messages: added } = await result.response;
      messages = [...messages, ...added, { role: 'user', content: 'And tomorrow?' }];
    }
    expect(sent.some((body) => body.includes('"item_reference"'))).toBe(true);
    // In each loop the second request has the thought of the first.
    expect(bodies.map(thoughtsIn)).toEqual([[], [1], [], [3], [], [5], [], [7], [], [9]]);
  });

  it('gets its reasoning back without state, by its sealed form', async () => {
    const { url } = await start({ store: 'none' });
    const model = createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` })('gpt-5');
    const result = await generateText({
      model,
      tools,
      prompt: 'Weather in Rome?',
      stopWhen: stepCountIs(3),
      providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } },
    });
    expect(result.text).toBe('It is sunny, says answer 2.');
    expect(bodies.map(thoughtsIn)).toEqual([[], [1]]);
  });
});

describe('the OpenAI SDK', () => {
  const tools: OpenAI.Responses.FunctionTool[] = [
    {
      type: 'function',
      name: 'get_weather',
      strict: false,
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ];

  const clientOf = ({ url }: Gateway) => new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 });

  /** The items of an answer as Codex sends them back: reasoning with its sealed form alone. */
  const sentBack = (output: OpenAI.Responses.ResponseOutputItem[]) =>
    output.map((item) =>
      item.type === 'reasoning' ? { ...item, summary: [] } : item,
    ) as OpenAI.Responses.ResponseInput;

  const outputs = (output: OpenAI.Responses.ResponseOutputItem[]) =>
    output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'Sunny' }]
        : [],
    );

  it.each([false, true])('sends sealed reasoning back, streamed: %s', async (stream) => {
    const client = clientOf(await start());
    const asked = { model: 'm', tools, store: false, include: ['reasoning.encrypted_content' as const] };
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Weather in Rome?' }];
    const ask = { ...asked, input };
    const first = stream
      ? await client.responses.stream(ask).finalResponse()
      : await client.responses.create(ask);
    const [thought] = first.output;
    expect(thought).toMatchObject({
      type: 'reasoning',
      encrypted_content: expect.stringMatching(/^dragoman1\./),
    });
    expect(JSON.stringify(thought).split('dragoman1.')[1]).not.toContain('Thought');
    input.push(...sentBack(first.output), ...outputs(first.output));
    const second = await client.responses.create({ ...asked, input });
    expect(second.output_text).toBe('It is sunny, says answer 2.');
    expect(bodies.map(thoughtsIn)).toEqual([[], [1]]);
  });

  it.each([
    ['of another server', 'gAAAAABpk3VtZm9yZWlnbg=='],
    ['that was changed', 'dragoman1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['that is none', 'dragoman1.%%%'],
  ])('is answered without reasoning %s, and the report says so', async (_, encrypted_content) => {
    const client = clientOf(await start());
    const response = await client.responses.create({
      model: 'm',
      input: [
        { role: 'user', content: 'Weather in Rome?' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content },
        { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Rome"}' },
        { type: 'function_call_output', call_id: 'c1', output: 'Sunny' },
      ],
      tools,
    });
    expect(response.output_text).toBe('It is sunny, says answer 1.');
    expect(response).toMatchObject({ dragoman: { skippedItems: [{ path: 'input[1]', type: 'reasoning' }] } });
  });

  it('keeps a response in memory on loopback, and not elsewhere', async () => {
    const client = clientOf(await start());
    const first = await client.responses.create({ model: 'm', input: 'Weather in Rome?', tools });
    expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id });
    const second = await client.responses.create({
      model: 'm',
      previous_response_id: first.id,
      input: outputs(first.output),
      tools,
    });
    expect(second.output_text).toBe('It is sunny, says answer 2.');
    expect(bodies.map(thoughtsIn)).toEqual([[], [1]]);
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });

    const stateless = clientOf(await start({ store: 'none' }));
    const refused = stateless.responses.create({ model: 'm', input: 'x', previous_response_id: first.id });
    await expect(refused).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });

  it('has its effort passed on, until the upstream refuses it', async () => {
    const client = clientOf(await start());
    const ask = { model: 'm', input: 'Hi', reasoning: { effort: 'high' as const } };
    expect(await client.responses.create(ask)).not.toHaveProperty('dragoman.ignored');
    expect(bodies.at(-1)?.reasoning_effort).toBe('high');
    refusesEffort = true;
    for (let turn = 0; turn < 2; turn++)
      expect(await client.responses.create(ask)).toMatchObject({
        dragoman: { ignored: ['reasoning_effort'] },
      });
    expect(bodies.at(-1)).not.toHaveProperty('reasoning_effort');
  });
});

describe("Anthropic's SDK", () => {
  it.each([false, true])('sends thinking blocks back within a tool loop, streamed: %s', async (stream) => {
    const { url } = await start();
    const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Weather in Rome?' }];
    const asked = {
      model: 'm',
      max_tokens: 2000,
      thinking: { type: 'enabled' as const, budget_tokens: 1024 },
      tools: [{ name: 'get_weather', input_schema: { type: 'object' as const } }],
    };
    const ask = async () => {
      const body = { ...asked, messages };
      const message = stream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body);
      messages.push({ role: 'assistant', content: message.content });
      return message;
    };
    const first = await ask();
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'tool_use']);
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Sunny' }]
        : [],
    );
    messages.push({ role: 'user', content: results });
    expect((await ask()).content.at(-1)).toMatchObject({ type: 'text', text: 'It is sunny, says answer 2.' });
    messages.push({ role: 'user', content: 'Thanks. And tomorrow?' });
    await ask();
    expect(bodies.map(thoughtsIn)).toEqual([[], [1], []]);
  });
});
