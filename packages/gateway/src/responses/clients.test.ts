// What real clients do with a memory: the OpenAI SDK goes on by `previous_response_id`, the AI SDK refers to items.

import { createOpenAI } from '@ai-sdk/openai';
import { ApiError, type Message } from '@dragoman/core';
import { createReplier, incomingOf, toResponse, type Upstream } from '@dragoman/core/bridge';
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Store } from '../services.js';
import { MemoryStore } from '../store/memory-store.js';
import { createResponses } from './create-responses.js';

/** Thinks, then says how many messages it sees; calls the first tool before that if nobody answered a call yet. */
function counting(seen: Message[][]): Upstream {
  return {
    takes: 'messages',
    tools: true,
    media: true,
    async *ask({ conversation: { messages, tools } }) {
      seen.push(messages);
      yield { type: 'answer-start' };
      yield { type: 'reasoning-delta', text: 'Let me count.' };
      const [first] = tools;
      const calls = first !== undefined && messages.at(-1)?.role === 'user';
      if (calls) {
        yield { type: 'call-start', id: `call_${messages.length}`, name: first.name };
        yield { type: 'call-delta', id: `call_${messages.length}`, text: '{"city":"Beijing"}' };
        yield { type: 'call-end', id: `call_${messages.length}` };
      } else yield { type: 'text-delta', text: `I see ${messages.length} messages.` };
      yield { type: 'finish', reason: calls ? 'tool-calls' : 'stop' };
      yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}

/** A gateway, as far as it matters here, instead of a network. */
function gatewayFetch(store: Store | undefined, seen: Message[][]): typeof fetch {
  const client = createResponses(store, 60).of('alice');
  const respond = createReplier({ upstream: counting(seen), mode: 'native' });
  const route = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const [, , , id, below] = pathname.split('/');
    if (id !== undefined && below !== undefined)
      return Response.json(await client.inputItems(id, searchParams));
    if (id !== undefined && request.method === 'GET') return Response.json(await client.get(id));
    if (id !== undefined) return Response.json(await client.delete(id));
    const turn = await client.expand(await request.json());
    const asked = { ...incomingOf(request), text: async () => JSON.stringify(turn.body) };
    const stored = { show: turn.show.bind(turn), keep: turn.keep.bind(turn) };
    const context = { aborter: new AbortController(), left: () => false, stored };
    return toResponse(await respond(asked, context));
  };
  return async (input, init) => {
    try {
      return await route(new Request(input, init));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const status = error.code === 'not-found' ? 404 : 400;
      return Response.json({ error: { message: error.message, param: error.path } }, { status });
    }
  };
}

const rolesOf = (messages: Message[] | undefined) => messages?.map(({ role }) => role).join(' ');

describe('the OpenAI SDK', () => {
  const clientOf = (store: Store | undefined, seen: Message[][]) =>
    new OpenAI({
      apiKey: 'k',
      baseURL: 'http://gateway/v1',
      fetch: gatewayFetch(store, seen),
      maxRetries: 0,
    });

  it('goes on by id, reads, lists and deletes', async () => {
    const seen: Message[][] = [];
    const client = clientOf(new MemoryStore(), seen);
    const one = await client.responses.create({ model: 'm', input: 'Hello', instructions: 'Be short.' });
    expect(one).toMatchObject({ store: true, previous_response_id: null });
    const two = await client.responses.create({ model: 'm', input: 'And?', previous_response_id: one.id });
    expect(two.output_text).toBe('I see 3 messages.');
    expect(rolesOf(seen[1])).toBe('user assistant user');
    expect(two.previous_response_id).toBe(one.id);

    expect(await client.responses.retrieve(two.id)).toMatchObject({ id: two.id, output: two.output });
    const items: string[] = [];
    for await (const item of client.responses.inputItems.list(two.id, { limit: 1, order: 'asc' })) {
      items.push(item.type ?? '');
    }
    expect(items).toEqual(['message', 'reasoning', 'message', 'message']);
    await client.responses.delete(two.id);
    await expect(client.responses.retrieve(two.id)).rejects.toMatchObject({ status: 404 });
  });

  it('goes on from a stream, and finds it the moment it has ended', async () => {
    const seen: Message[][] = [];
    const client = clientOf(new MemoryStore(), seen);
    let previous: string | undefined;
    for (let at = 0; at < 5; at++) {
      const stream = client.responses.stream({
        model: 'm',
        input: `turn ${at}`,
        ...(previous !== undefined && { previous_response_id: previous }),
      });
      for await (const event of stream) {
        if (event.type !== 'response.created' && event.type !== 'response.completed') continue;
        expect(event.response).toMatchObject({ previous_response_id: previous ?? null, store: true });
      }
      const final = await stream.finalResponse();
      expect(final.output_text).toBe(`I see ${2 * at + 1} messages.`);
      previous = final.id;
    }
    expect(seen.map((messages) => messages.length)).toEqual([1, 3, 5, 7, 9]);
  });

  it('is told clearly that nothing is kept', async () => {
    const client = clientOf(undefined, []);
    const one = await client.responses.create({ model: 'm', input: 'Hello' });
    expect(one).toMatchObject({ store: false });
    const asked = client.responses.create({ model: 'm', input: 'And?', previous_response_id: one.id });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });
});

describe('the AI SDK, as it comes', () => {
  const modelOf = (store: Store | undefined, seen: Message[][], bodies: string[] = []) => {
    const gateway = gatewayFetch(store, seen);
    const watched: typeof fetch = (input, init) => {
      bodies.push(String(init?.body));
      return gateway(input, init);
    };
    return createOpenAI({ apiKey: 'k', baseURL: 'http://gateway/v1', fetch: watched })('m');
  };
  const tools = {
    get_weather: tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => `Sunny in ${city}`,
    }),
  };
  const start: ModelMessage[] = [{ role: 'user', content: 'What is the weather in Beijing?' }];

  it.each(['whole', 'streamed'])('runs a tool and goes on, by references to items: %s', async (how) => {
    const seen: Message[][] = [];
    const bodies: string[] = [];
    const model = modelOf(new MemoryStore(), seen, bodies);
    let messages = start;
    for (let turn = 0; turn < 2; turn++) {
      const options = { model, tools, messages, stopWhen: stepCountIs(3) };
      const result = how === 'whole' ? await generateText(options) : streamText(options);
      expect(await result.text).toMatch(/^I see \d+ messages\.$/);
      const response = await result.response;
      messages = [...messages, ...response.messages, { role: 'user', content: 'And tomorrow?' }];
    }
    expect(bodies.some((body) => body.includes('"item_reference"'))).toBe(true);
    expect(seen.map(rolesOf)).toEqual([
      'user',
      'user assistant tool',
      'user assistant tool assistant user',
      'user assistant tool assistant user assistant tool',
    ]);
    const [, last] = seen[3]?.filter(({ role }) => role === 'assistant') ?? [];
    expect(last?.parts.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  });

  it('is told what to do where nothing is kept', async () => {
    const model = modelOf(undefined, []);
    const first = await generateText({ model, messages: start });
    const messages: ModelMessage[] = [...start, ...first.response.messages, ...start];
    await expect(generateText({ model, messages, maxRetries: 0 })).rejects.toThrow('store: false');
    const options = { openai: { store: false } };
    const second = await generateText({ model, messages, providerOptions: options });
    expect(second.text).toBe('I see 3 messages.');
  });
});
