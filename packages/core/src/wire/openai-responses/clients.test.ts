// Answers, as the clients people use read them.

import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { type AnswerEvent, ApiError } from '../../model/index.js';
import { call, collect, contextFor, encodeAll, finish, start, text, usage } from './answers.fixture.js';
import { encodeResponse } from './encode-response.js';

function clientOf(respond: () => Response): OpenAI {
  return new OpenAI({ apiKey: 'none', maxRetries: 0, fetch: async () => respond() });
}

const sse = (stream: string) => new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
const answer: AnswerEvent[] = [
  start,
  { type: 'reasoning-delta', text: 'Hm' },
  text('Let me '),
  text('look.'),
  ...call('call_1', '{"path":', '"a"}'),
  ...call('call_2', '{}'),
  finish('tool-calls'),
  usage,
];
const ask = { model: 'm', input: 'hi' };

describe("OpenAI's own client", () => {
  it('reads a whole answer', async () => {
    const body = encodeResponse(collect(answer), contextFor());
    const got = await clientOf(() => Response.json(body)).responses.create(ask);
    expect(got.output_text).toBe('Let me look.');
    expect(got.output.map((item) => item.type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'function_call',
    ]);
    expect(got.usage?.total_tokens).toBe(14);
  });

  it('reads a stream, event by event and to its final response', async () => {
    const client = clientOf(() => sse(`: ping\n${encodeAll(answer)}`));
    const seen: string[] = [];
    const stream = client.responses.stream(ask);
    stream.on('response.output_text.delta', (event) => seen.push(event.snapshot));
    stream.on('response.function_call_arguments.delta', (event) => seen.push(event.snapshot));
    const got = await stream.finalResponse();
    expect(seen).toEqual(['Let me ', 'Let me look.', '{"path":', '{"path":"a"}', '{}']);
    expect(got.output).toMatchObject(encodeResponse(collect(answer), contextFor()).output as object[]);
    expect(got.output_text).toBe('Let me look.');
  });

  it('has built the same response from the deltas as the last event holds', async () => {
    const raw = await clientOf(() => sse(encodeAll(answer))).responses.create({ ...ask, stream: true });
    let last: unknown;
    const items: unknown[] = [];
    for await (const event of raw) {
      if (event.type === 'response.output_item.done') items.push(event.item);
      if (event.type === 'response.completed') last = event.response.output;
    }
    expect(items).toEqual(last);
  });

  it('hears a thought as a summary, and nowhere else', async () => {
    const raw = await clientOf(() => sse(encodeAll(answer))).responses.create({ ...ask, stream: true });
    const thoughts: string[] = [];
    for await (const event of raw) {
      if (event.type === 'response.reasoning_summary_text.delta') thoughts.push(event.delta);
      if (event.type === 'response.reasoning_text.delta') thoughts.push(event.delta);
    }
    expect(thoughts).toEqual(['Hm']);
  });

  it('throws what an error inside a stream says', async () => {
    const stream = encodeAll([
      start,
      text('a'),
      { type: 'error', error: new ApiError('rate-limited', 'Too many.') },
    ]);
    const got = clientOf(() => sse(stream))
      .responses.stream(ask)
      .finalResponse();
    await expect(got).rejects.toThrow('Too many.');
  });
});

describe('the AI SDK', () => {
  const modelOf = (respond: () => Response) =>
    createOpenAI({ apiKey: 'none', fetch: async () => respond() }).responses('m');

  it('shows the thoughts of a stream once, and its text and calls', async () => {
    const result = streamText({ model: modelOf(() => sse(encodeAll(answer))), prompt: 'hi' });
    const seen: unknown[] = [];
    for await (const part of result.fullStream) {
      if (part.type === 'reasoning-delta' || part.type === 'text-delta') seen.push([part.type, part.text]);
      if (part.type === 'tool-call') seen.push([part.toolCallId, part.toolName, part.input]);
      if (part.type === 'error') throw part.error;
    }
    expect(seen).toEqual([
      ['reasoning-delta', 'Hm'],
      ['text-delta', 'Let me '],
      ['text-delta', 'look.'],
      ['call_1', 'read', { path: 'a' }],
      ['call_2', 'read', {}],
    ]);
    expect(await result.reasoningText).toBe('Hm');
    expect(await result.finishReason).toBe('tool-calls');
  });

  it('shows the thoughts of a whole answer', async () => {
    const body = encodeResponse(collect(answer), contextFor());
    const got = await generateText({ model: modelOf(() => Response.json(body)), prompt: 'hi' });
    expect([got.reasoningText, got.text, got.toolCalls.length]).toEqual(['Hm', 'Let me look.', 2]);
  });
});
