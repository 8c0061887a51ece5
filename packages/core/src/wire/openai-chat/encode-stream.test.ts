import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, streamText, tool } from 'ai';
import fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { type AnswerEvent, ApiError, type ModelRequest, type Report } from '../../model/index.js';
import type { EncodeContext } from '../wire.js';
import { createStreamDecoder } from './decode-stream.js';
import { createStreamEncoder } from './encode-stream.js';

const request: ModelRequest = {
  model: 'm',
  conversation: { messages: [], tools: [], toolChoice: 'auto' },
  settings: {},
  stream: true,
};

function contextOf(more: Partial<ModelRequest> = {}, report = false): EncodeContext {
  return { request: { ...request, ...more }, newId: (prefix) => `${prefix}new`, report };
}

const report: Report = { mode: 'emulate', dialect: 'alkaid', issues: [], repairs: [], reasks: [] };

const answer: AnswerEvent[] = [
  { type: 'answer-start', id: 'chatcmpl-1', model: 'glm', created: 5 },
  { type: 'reasoning-delta', text: 'hm' },
  { type: 'text-delta', text: 'Line\nbreak \ud83d' },
  { type: 'text-delta', text: '\ude00' },
  { type: 'call-start', id: 'call_a', name: 'f' },
  { type: 'call-delta', id: 'call_a', text: '{"a":' },
  { type: 'call-delta', id: 'call_a', text: '1}' },
  { type: 'call-end', id: 'call_a' },
  { type: 'call-start', id: 'call_b', name: 'g' },
  { type: 'call-delta', id: 'call_b', text: '{}' },
  { type: 'call-end', id: 'call_b' },
  { type: 'finish', reason: 'tool-calls' },
  { type: 'usage', usage: { inputTokens: 3, outputTokens: 4, cachedTokens: 2, reasoningTokens: 1 } },
  { type: 'report', report },
];

function encode(events: AnswerEvent[], context = contextOf()): string {
  const encoder = createStreamEncoder(context);
  return events.map((event) => encoder.encode(event)).join('') + encoder.end();
}

interface Chunk {
  choices: { index: number; delta: Record<string, unknown>; finish_reason: string | null }[];
  usage?: unknown;
  dragoman?: unknown;
}

function chunksOf(text: string): (Chunk | '[DONE]')[] {
  const frames = text.split('\n\n').slice(0, -1);
  return frames.map((line) => {
    expect(line.startsWith('data: ')).toBe(true);
    expect(line).not.toContain('\n');
    const data = line.slice('data: '.length);
    return data === '[DONE]' ? data : JSON.parse(data);
  });
}

function clientOf(text: string): OpenAI {
  return new OpenAI({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
  });
}

const ask = { model: 'm', messages: [] };

describe('a stream of chunks', () => {
  it('begins with the role, heads each call once, and ends with its reason and [DONE]', () => {
    const chunks = chunksOf(encode(answer));
    expect(chunks.at(-1)).toBe('[DONE]');
    const deltas = chunks.slice(0, -1).map((chunk) => (chunk as Chunk).choices[0]?.delta);
    expect(deltas).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'hm' },
      { content: 'Line\nbreak ' },
      { content: '\ud83d\ude00' },
      { tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
      { tool_calls: [{ index: 1, id: 'call_b', type: 'function', function: { name: 'g', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      {},
    ]);
    expect((chunks.at(-2) as Chunk).choices[0]?.finish_reason).toBe('tool_calls');
    expect(chunks[0]).toMatchObject({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 5,
      model: 'glm',
    });
  });

  it('tells the usage behind the finish, and only if it was asked for', () => {
    const chunks = chunksOf(encode(answer, contextOf({ includeUsage: true })));
    expect(chunks.at(-2)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 3,
        completion_tokens: 4,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    });
    expect((chunks.at(-3) as Chunk).choices[0]?.finish_reason).toBe('tool_calls');
    expect(encode(answer)).not.toContain('usage');
  });

  it('carries the report on the last finish, and only if it is wanted', () => {
    const chunks = chunksOf(encode(answer, contextOf({ includeUsage: true }, true)));
    expect(chunks.filter((chunk) => chunk !== '[DONE]' && chunk.dragoman !== undefined)).toEqual([
      chunks.at(-3),
    ]);
    expect((chunks.at(-3) as Chunk).dragoman).toEqual(report);
    expect(encode(answer)).not.toContain('dragoman');
  });

  it('makes what it was not told', () => {
    const [first] = chunksOf(encode([{ type: 'finish', reason: 'stop' }]));
    expect(first).toMatchObject({ id: 'chatcmpl-new', model: 'm' });
  });

  it('keeps several answers apart', () => {
    const several: AnswerEvent[] = [
      { type: 'answer-start' },
      { type: 'text-delta', text: 'a' },
      { type: 'call-start', id: 'x', name: 'f', choice: 1 },
      { type: 'call-delta', id: 'x', text: '{', choice: 1 },
      { type: 'finish', reason: 'stop' },
      { type: 'call-delta', id: 'x', text: '}', choice: 1 },
      { type: 'call-end', id: 'x', choice: 1 },
      { type: 'finish', reason: 'tool-calls', choice: 1 },
    ];
    const chunks = chunksOf(encode(several, contextOf({}, true)));
    const of = (index: number) =>
      chunks.flatMap((chunk) =>
        chunk === '[DONE]' ? [] : chunk.choices.filter((choice) => choice.index === index),
      );
    expect(of(0).map(({ finish_reason }) => finish_reason)).toEqual([null, null, 'stop']);
    expect(of(1).map(({ delta }) => Object.keys(delta)[0])).toEqual([
      'role',
      'tool_calls',
      'tool_calls',
      'tool_calls',
      undefined,
    ]);
    expect(of(1).at(-1)?.finish_reason).toBe('tool_calls');
  });

  it('ends in an error, without [DONE], where the answer does', () => {
    const error = new ApiError('upstream-broken', 'It broke.');
    const text = encode([
      ...answer.slice(0, 3),
      { type: 'error', error },
      { type: 'text-delta', text: 'late' },
    ]);
    expect(chunksOf(text).at(-1)).toEqual({
      error: { message: 'It broke.', type: 'upstream_error', param: null, code: 'upstream_broken' },
    });
    expect(text).not.toContain('late');
  });

  it('never ends well where an answer has no finish', () => {
    for (const events of [[], answer.slice(0, 3)]) {
      const text = encode(events);
      expect(text).toContain('"error"');
      expect(text).not.toContain('[DONE]');
    }
  });

  it('sends a long call in fewer fragments than clients refuse', () => {
    const many: AnswerEvent[] = [{ type: 'call-start', id: 'x', name: 'f' }];
    for (let n = 0; n < 200_000; n++) many.push({ type: 'call-delta', id: 'x', text: 'a' });
    const encoder = createStreamEncoder(contextOf());
    let frames = 0;
    let length = 0;
    for (const event of [...many, { type: 'call-end', id: 'x' } as AnswerEvent]) {
      for (const chunk of chunksOf(encoder.encode(event))) {
        const [call] = ((chunk as Chunk).choices[0]?.delta.tool_calls ?? []) as {
          function: { arguments: string };
        }[];
        length += call?.function.arguments.length ?? 0;
        frames++;
      }
    }
    expect(length).toBe(200_000);
    expect(frames).toBeLessThan(20_000);
  });
});

describe('OpenAI’s own client', () => {
  it('gathers the answer', async () => {
    const text = encode(answer, contextOf({ includeUsage: true }, true));
    const completion = await clientOf(text).chat.completions.stream(ask).finalChatCompletion();
    expect(completion.choices[0]?.message).toMatchObject({
      role: 'assistant',
      content: 'Line\nbreak 😀',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
        { id: 'call_b', type: 'function', function: { name: 'g', arguments: '{}' } },
      ],
    });
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
    expect(completion.usage?.total_tokens).toBe(7);
    expect(completion).toMatchObject({ dragoman: report });
  });

  it('throws where the stream has an error', async () => {
    const error = new ApiError('upstream-failed', 'No connection.');
    const text = encode([...answer.slice(0, 3), { type: 'error', error }]);
    const stream = await clientOf(text).chat.completions.create({ ...ask, stream: true });
    const drain = async () => {
      for await (const _ of stream);
    };
    await expect(drain()).rejects.toThrow('No connection.');
  });
});

describe('the AI SDK', () => {
  const fetchOf = (text: string) => async () =>
    new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  const modelsOf = (text: string) => [
    createOpenAI({ apiKey: 'none', fetch: fetchOf(text) }).chat('m'),
    createOpenAICompatible({ name: 'x', baseURL: 'http://localhost', fetch: fetchOf(text) })('m'),
  ];
  const anything = tool({
    inputSchema: jsonSchema<object>({ type: 'object' }),
    outputSchema: jsonSchema<object>({}),
  });
  const tools = { f: anything, g: anything };

  it('gathers the answer', async () => {
    for (const model of modelsOf(encode(answer, contextOf({ includeUsage: true }, true)))) {
      const result = streamText({ model, prompt: 'hi', tools });
      expect(await result.text).toBe('Line\nbreak 😀');
      expect(
        (await result.toolCalls).map(({ toolCallId, toolName, input }) => [toolCallId, toolName, input]),
      ).toEqual([
        ['call_a', 'f', { a: 1 }],
        ['call_b', 'g', {}],
      ]);
      expect(await result.finishReason).toBe('tool-calls');
      expect((await result.usage).inputTokens).toBe(3);
    }
  });

  it('sees the error', async () => {
    const error = new ApiError('upstream-failed', 'No connection.');
    for (const model of modelsOf(encode([...answer.slice(0, 3), { type: 'error', error }]))) {
      const seen: unknown[] = [];
      const result = streamText({ model, prompt: 'hi', onError: ({ error: each }) => void seen.push(each) });
      await result.consumeStream();
      expect(JSON.stringify(seen) + String(seen[0])).toContain('No connection.');
    }
  });
});

describe('what is encoded and decoded', () => {
  const name = fc.constantFrom('f', 'tool_call', '__proto__');
  const piece = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 });
  const call = fc.tuple(name, fc.dictionary(piece, piece, { maxKeys: 2 }));
  const turn = fc.record({
    reasoning: fc.array(piece),
    text: fc.array(piece),
    calls: fc.array(call, { maxLength: 3 }),
  });

  it('is the same answer, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 40 }),
        (turns, size) => {
          const events = turns.flatMap((each, at) => eventsOf(each, at));
          const text = encode([{ type: 'answer-start', id: 'a', model: 'b', created: 1 }, ...events]);
          const decoder = createStreamDecoder();
          const read: AnswerEvent[] = [];
          for (let at = 0; at < text.length; at += size)
            read.push(...decoder.feed(text.slice(at, at + size)));
          read.push(...decoder.finish());
          for (const at of turns.keys()) expect(summary(read, at)).toEqual(summary(events, at));
        },
      ),
      { seed: 5, numRuns: 150 },
    );
  });

  interface Turn {
    reasoning: string[];
    text: string[];
    calls: [name: string, input: Record<string, string>][];
  }

  function eventsOf({ reasoning, text, calls }: Turn, choice: number): AnswerEvent[] {
    return [
      ...reasoning.map((each): AnswerEvent => ({ type: 'reasoning-delta', text: each, choice })),
      ...text.map((each): AnswerEvent => ({ type: 'text-delta', text: each, choice })),
      ...calls.flatMap(([tool, input], at): AnswerEvent[] => [
        { type: 'call-start', id: `c${at}`, name: tool, choice },
        ...[...JSON.stringify(input)].map(
          (each): AnswerEvent => ({ type: 'call-delta', id: `c${at}`, text: each, choice }),
        ),
        { type: 'call-end', id: `c${at}`, choice },
      ]),
      { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', choice },
    ];
  }

  function summary(events: AnswerEvent[], choice: number): unknown {
    const mine = events.filter((event) => ('choice' in event ? event.choice : 0) === choice);
    const textOf = (type: string) =>
      mine.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
    const calls = mine.flatMap((event) => {
      if (event.type !== 'call-start') return [];
      const pieces = mine.flatMap((delta) =>
        delta.type === 'call-delta' && delta.id === event.id ? [delta.text] : [],
      );
      const ended = mine.some((end) => end.type === 'call-end' && end.id === event.id);
      return [{ id: event.id, name: event.name, text: pieces.join(''), ended }];
    });
    const finishes = mine.flatMap((event) => (event.type === 'finish' ? [event.reason] : []));
    return { text: textOf('text-delta'), reasoning: textOf('reasoning-delta'), calls, finishes };
  }
});
