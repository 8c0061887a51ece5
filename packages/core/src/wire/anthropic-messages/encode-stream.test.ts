// Streams and whole answers, as the official client reads them and as we read them back.

import Anthropic, { APIError } from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, type AnswerEvent, ApiError, type Report } from '../../model/index.js';
import type { EncodeContext } from '../wire.js';
import { anthropicMessages } from './index.js';

const report: Report = { mode: 'emulate', dialect: 'alkaid', issues: [], repairs: [], reasks: [] };

const context = (told = false): EncodeContext => ({
  request: anthropicMessages.decodeRequest({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'x' }],
  }),
  newId: (prefix) => `${prefix}1`,
  report: told,
});

function encoded(events: AnswerEvent[], told = false): string {
  const encoder = anthropicMessages.createStreamEncoder(context(told));
  return events.map((event) => encoder.encode(event)).join('') + encoder.end();
}

function decoded(text: string, size = text.length): AnswerEvent[] {
  const decoder = anthropicMessages.createStreamDecoder();
  const events: AnswerEvent[] = [];
  for (let at = 0; at < text.length; at += size) events.push(...decoder.feed(text.slice(at, at + size)));
  return [...events, ...decoder.finish()];
}

/** The data of each event, after a look at the shape of every frame. */
function frames(text: string): { type: string; index?: number; [key: string]: unknown }[] {
  const list = text.split('\n\n').slice(0, -1);
  return list.map((frame) => {
    const [event, data, ...more] = frame.split('\n');
    const value = JSON.parse(data!.slice('data: '.length));
    expect([event, more]).toEqual([`event: ${value.type}`, []]);
    return value;
  });
}

/** What the official client makes of our bytes, given in pieces. */
function client(body: string, type: string, status = 200, headers: Record<string, string> = {}): Anthropic {
  const bytes = new TextEncoder().encode(body);
  const fetch = async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 61) controller.enqueue(bytes.slice(at, at + 61));
        controller.close();
      },
    });
    return new Response(stream, { status, headers: { 'content-type': type, ...headers } });
  };
  return new Anthropic({ apiKey: 'test', maxRetries: 0, fetch });
}

const ask = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'x' }] };
const finalMessage = (text: string) => client(text, 'text/event-stream').messages.stream(ask).finalMessage();

const start: AnswerEvent = { type: 'answer-start', id: 'msg_7', model: 'glm' };
const finish = (reason: 'stop' | 'length' | 'tool-calls' | 'content-filter'): AnswerEvent => ({
  type: 'finish',
  reason,
});
const usage: AnswerEvent = { type: 'usage', usage: { inputTokens: 30, outputTokens: 7, cachedTokens: 10 } };
const text = (said: string): AnswerEvent => ({ type: 'text-delta', text: said });
const thought = (said: string): AnswerEvent => ({ type: 'reasoning-delta', text: said });
const callStart = (id: string): AnswerEvent => ({ type: 'call-start', id, name: `tool_${id}` });
const callDelta = (id: string, said: string): AnswerEvent => ({ type: 'call-delta', id, text: said });
const callEnd = (id: string): AnswerEvent => ({ type: 'call-end', id });

describe('an encoded stream', () => {
  it('is a whole message to the official client', async () => {
    const events = [
      start,
      thought('Let me '),
      thought('see.'),
      text('I look.\n\n'),
      text('event: x\ndata: y\n\n'),
      callStart('a'),
      callDelta('a', '{"path": "/a'),
      callDelta('a', '.ts", "n": [1, 2.50]}'),
      callEnd('a'),
      callStart('b'),
      callDelta('b', '{}'),
      callEnd('b'),
      finish('tool-calls'),
      usage,
    ];
    expect(await finalMessage(encoded(events))).toMatchObject({
      id: 'msg_7',
      model: 'glm',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me see.', signature: '' },
        { type: 'text', text: 'I look.\n\nevent: x\ndata: y\n\n' },
        { type: 'tool_use', id: 'a', name: 'tool_a', input: { path: '/a.ts', n: [1, 2.5] } },
        { type: 'tool_use', id: 'b', name: 'tool_b', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 20, output_tokens: 7, cache_read_input_tokens: 10 },
    });
  });

  it('opens and closes blocks in order, one at a time', () => {
    const list = frames(
      encoded([start, text('a'), thought('b'), text('c'), callStart('d'), finish('length')]),
    );
    const order = list.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`));
    const block = (at: number, deltas: number) => [
      `content_block_start ${at}`,
      ...Array<string>(deltas).fill(`content_block_delta ${at}`),
      `content_block_stop ${at}`,
    ];
    // The thought has a second delta: its signature.
    const blocks = [...block(0, 1), ...block(1, 2), ...block(2, 1), ...block(3, 0)];
    expect(order).toEqual(['message_start', ...blocks, 'message_delta', 'message_stop']);
  });

  it('keeps signatures, redacted thoughts and blocks of the provider’s own tools', async () => {
    const kept = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
    const message = await finalMessage(
      encoded([
        start,
        thought('One.'),
        { type: 'reasoning-delta', text: '', extra: { signature: 'sig1' } },
        { type: 'reasoning-delta', text: '', extra: { signature: 'sig2' } },
        { type: 'reasoning-delta', text: '', extra: { type: 'redacted_thinking', data: 'zzz' } },
        { type: 'reasoning-delta', text: '', extra: kept },
        text('Done.'),
        finish('stop'),
      ]),
    );
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'One.', signature: 'sig1' },
      { type: 'thinking', thinking: '', signature: 'sig2' },
      { type: 'redacted_thinking', data: 'zzz' },
      kept,
      { type: 'text', text: 'Done.' },
    ]);
  });

  it('closes a call that was cut off, and says why', async () => {
    const cut = encoded([
      start,
      callStart('a'),
      callDelta('a', '{"path": "/et'),
      finish('tool-calls'),
      usage,
    ]);
    expect(await finalMessage(cut)).toMatchObject({ content: [{ id: 'a' }], stop_reason: 'max_tokens' });
    expect(frames(cut).at(-3)).toEqual({ type: 'content_block_stop', index: 0 });
  });

  it('lets what interleaves with a call wait for its end', async () => {
    const events = [
      start,
      callStart('a'),
      callStart('b'),
      callDelta('b', '{"b"'),
      callDelta('a', '{"a"'),
      text('mean'),
      callDelta('b', ':2}'),
      text('while'),
      callDelta('a', ':1}'),
      callEnd('b'),
      callEnd('a'),
      finish('tool-calls'),
    ];
    const { content } = await finalMessage(encoded(events));
    expect(content).toMatchObject([
      { id: 'a', input: { a: 1 } },
      { id: 'b', input: { b: 2 } },
      { type: 'text', text: 'meanwhile' },
    ]);
  });

  it('ends calls that never end, also those that waited', () => {
    const events = [
      start,
      callStart('a'),
      callStart('b'),
      callDelta('b', '{'),
      callDelta('a', '{'),
      finish('stop'),
    ];
    const list = frames(encoded(events));
    expect(list.filter(({ type }) => type === 'content_block_stop')).toHaveLength(2);
    expect(list.at(-2)).toMatchObject({ delta: { stop_reason: 'max_tokens' } });
  });

  it('says each reason in the words of the API', () => {
    const reasonOf = (event: AnswerEvent) => frames(encoded([start, event])).at(-2)?.delta;
    expect(reasonOf(finish('stop'))).toEqual({ stop_reason: 'end_turn', stop_sequence: null });
    expect(reasonOf(finish('length'))).toEqual({ stop_reason: 'max_tokens', stop_sequence: null });
    expect(reasonOf(finish('content-filter'))).toEqual({ stop_reason: 'refusal', stop_sequence: null });
    const stopped: AnswerEvent = { type: 'finish', reason: 'stop', stopSequence: 'END' };
    expect(reasonOf(stopped)).toEqual({ stop_reason: 'stop_sequence', stop_sequence: 'END' });
  });

  it('reports only when asked', () => {
    const events: AnswerEvent[] = [start, finish('stop'), usage, { type: 'report', report }];
    expect(frames(encoded(events, true)).at(-2)).toMatchObject({ dragoman: report });
    expect(encoded(events)).not.toContain('dragoman');
  });

  it('makes the official client throw on an error, and says nothing more', async () => {
    const error = new ApiError('overloaded', 'Too many.');
    const stream = encoded([start, text('Hal'), { type: 'error', error }, text('lo'), finish('stop')]);
    expect(frames(stream).at(-1)).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Too many.' },
    });
    await expect(finalMessage(stream)).rejects.toThrow('Too many.');
  });

  it('never ends cleanly without a finish', async () => {
    await expect(finalMessage(encoded([start, text('Hal')]))).rejects.toBeInstanceOf(APIError);
  });

  it('stays under the official limit of fragments', () => {
    const events = [
      callStart('a'),
      ...Array.from({ length: 200_000 }, () => callDelta('a', '1')),
      callEnd('a'),
    ];
    const list = frames(encoded([start, ...events, finish('tool-calls')]));
    expect(list.length).toBeLessThan(20_000);
    const pieces = list.flatMap(({ delta }) => (delta as { partial_json?: string })?.partial_json ?? []);
    expect(pieces.join('')).toBe('1'.repeat(200_000));
  });

  it('takes heartbeats between any two events', async () => {
    const stream = encoded([start, text('a'), text('b'), finish('stop'), usage]);
    const beating = stream
      .split('\n\n')
      .slice(0, -1)
      .map((one) => `${one}\n\n${anthropicMessages.stream.heartbeat}`)
      .join('');
    expect(await finalMessage(beating)).toEqual(await finalMessage(stream));
    expect(decoded(beating)).toEqual(decoded(stream));
  });
});

describe('a whole answer', () => {
  const answer: Answer = {
    id: 'msg_1',
    model: 'm',
    created: 0,
    choices: [
      {
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'So.' },
          { type: 'tool-call', id: 'odd id:0', name: 'f', input: { a: [1] }, raw: '{"a":[1.0]}' },
        ],
        finish: 'tool-calls',
      },
      { parts: [{ type: 'text', text: 'Another.' }], finish: 'stop' },
    ],
    usage: { inputTokens: 3, outputTokens: 2, reasoningTokens: 1 },
    report,
  };

  it('is a message to the official client', async () => {
    const body = anthropicMessages.encodeResponse(answer, context(true));
    const message = await client(JSON.stringify(body), 'application/json').messages.create(ask);
    expect(message).toMatchObject({
      id: 'msg_1',
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: '' },
        { type: 'text', text: 'So.' },
        { type: 'tool_use', id: 'odd id:0', name: 'f', input: { a: [1] } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 2, output_tokens_details: { thinking_tokens: 1 } },
      dragoman: report,
    });
    expect(message.content).toHaveLength(3);
    expect(anthropicMessages.encodeResponse(answer, context())).not.toHaveProperty('dragoman');
  });

  it('says as events what its stream would have said', () => {
    const body = anthropicMessages.encodeResponse(answer, context());
    expect(anthropicMessages.decodeResponse(body)).toEqual([
      { type: 'answer-start', id: 'msg_1', model: 'm' },
      thought('Hm.'),
      text('So.'),
      { type: 'call-start', id: 'odd id:0', name: 'f' },
      callDelta('odd id:0', '{"a":[1]}'),
      callEnd('odd id:0'),
      finish('tool-calls'),
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 0, reasoningTokens: 1 } },
    ]);
  });
});

/** Neighbouring deltas of one kind become one. */
function coalesced(events: AnswerEvent[]): AnswerEvent[] {
  const list: AnswerEvent[] = [];
  for (const event of events) {
    const last = list.at(-1);
    const joins =
      event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'call-delta';
    if (joins && last?.type === event.type && !('extra' in last)) last.text += event.text;
    else list.push({ ...event });
  }
  return list;
}

const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 4 });
const turn = fc.array(
  fc.oneof(
    pieces.map((list) => list.map(text)),
    pieces.map((list) => list.map(thought)),
    fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 1, max: 9 })),
  ),
  { maxLength: 6 },
);

describe('what is encoded', () => {
  it('is decoded to the same events, however the bytes are cut', () => {
    fc.assert(
      fc.property(turn, fc.integer({ min: 1, max: 40 }), (items, size) => {
        let calls = 0;
        const content = items.flatMap((item) => {
          const [input, cut] = item as [Record<string, unknown>, number];
          if (typeof cut !== 'number') return item as AnswerEvent[];
          const id = `call_${calls++}`;
          const raw = JSON.stringify(input);
          const deltas = [callDelta(id, raw.slice(0, cut)), callDelta(id, raw.slice(cut))];
          return [
            callStart(id),
            ...deltas.filter((delta) => 'text' in delta && delta.text !== ''),
            callEnd(id),
          ];
        });
        const events = [start, ...content, finish(calls > 0 ? 'tool-calls' : 'stop'), usage];
        expect(coalesced(decoded(encoded(events), size))).toEqual(coalesced(events));
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
