import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../model/index.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';

type Data = Record<string, unknown>;

function read(...list: Data[]): AnswerEvent[] {
  const decoder = createStreamDecoder();
  const stream = list.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  return [...decoder.feed(stream), ...decoder.finish()];
}

const begin = {
  type: 'message_start',
  message: { id: 'i', model: 'm', usage: { input_tokens: 5, output_tokens: 1 } },
};
const open = (index: number, content_block: Data) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, value: Data) => ({ type: 'content_block_delta', index, delta: value });
const json = (index: number, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json });
const close = (index: number) => ({ type: 'content_block_stop', index });
const because = (stop_reason: string, more: Data = {}) => ({
  type: 'message_delta',
  delta: { stop_reason, ...more },
  usage: { output_tokens: 9 },
});
const stop = { type: 'message_stop' };
const toolUse = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'f', input });

const types = (events: AnswerEvent[]) => events.map((event) => event.type);
const finishOf = (events: AnswerEvent[]) => events.find((event) => event.type === 'finish');

describe('createStreamDecoder', () => {
  it('takes [DONE] behind message_stop, and not before it', () => {
    const frames = (list: Data[]) => list.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
    const typesOf = (stream: string) => {
      const decoder = createStreamDecoder();
      return types([...decoder.feed(stream), ...decoder.finish()]);
    };
    const whole = frames([begin, because('end_turn'), stop]);
    expect(typesOf(`${whole}data: [DONE]\n\n`)).toEqual(typesOf(whole));
    expect(typesOf(`${frames([begin])}data: [DONE]\n\n`)).toContain('error');
  });

  it('reads text, thoughts with their signatures, calls, and usage from both ends', () => {
    const events = read(
      begin,
      { type: 'ping' },
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      close(0),
      open(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Hi' }),
      close(1),
      open(2, toolUse('a')),
      json(2, ''),
      json(2, '{"x": 1.0'),
      json(2, '}'),
      close(2),
      because('tool_use'),
      stop,
    );
    expect(events).toEqual([
      { type: 'answer-start', id: 'i', model: 'm' },
      { type: 'reasoning-delta', text: 'Hm.' },
      { type: 'reasoning-delta', text: '', extra: { signature: 'sig' } },
      { type: 'text-delta', text: 'Hi' },
      { type: 'call-start', id: 'a', name: 'f' },
      { type: 'call-delta', id: 'a', text: '{"x": 1.0' },
      { type: 'call-delta', id: 'a', text: '}' },
      { type: 'call-end', id: 'a' },
      { type: 'finish', reason: 'tool-calls' },
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 9 } },
    ]);
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['something_new', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
  ])('reads the reason %s as %s', (reason, expected) => {
    expect(finishOf(read(begin, because(reason), stop))).toEqual({ type: 'finish', reason: expected });
  });

  it('says which sequence stopped it', () => {
    const events = read(begin, because('stop_sequence', { stop_sequence: 'END' }), stop);
    expect(finishOf(events)).toEqual({ type: 'finish', reason: 'stop', stopSequence: 'END' });
  });

  it('takes an input that is given whole at the start, and one that is not given at all', () => {
    const events = read(
      begin,
      open(0, toolUse('a', { n: 1 })),
      close(0),
      open(1, toolUse('b')),
      close(1),
      because('end_turn'),
      stop,
    );
    const deltas = events.filter((event) => event.type === 'call-delta').map((event) => event.text);
    expect(deltas).toEqual(['{"n":1}', '{}']);
    expect(events.filter((event) => event.type === 'call-end')).toHaveLength(2);
    expect(finishOf(events)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  it.each([
    ['its block did not stop', [json(1, '{}')], 'tool_use'],
    ['its JSON is not complete', [json(1, '{"a":'), close(1)], 'tool_use'],
    ['its JSON is no object', [json(1, '[1]'), close(1)], 'tool_use'],
    ['the token limit ended it', [json(1, '{"a":1}'), close(1)], 'max_tokens'],
  ])('does not end a call if %s', (_, rest, reason) => {
    const first = [open(0, toolUse('a')), json(0, '{}'), close(0)];
    const events = read(begin, ...first, open(1, toolUse('b')), ...rest, because(reason), stop);
    expect(events.filter((event) => event.type === 'call-end')).toEqual([{ type: 'call-end', id: 'a' }]);
    expect(finishOf(events)).toMatchObject({ reason: 'length' });
  });

  it('keeps blocks it has no word for', () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [{ url: 'u' }] };
    const events = read(
      begin,
      open(0, { type: 'redacted_thinking', data: 'z' }),
      close(0),
      open(1, search),
      json(1, '{"query":"q"}'),
      close(1),
      open(2, found),
      close(2),
      because('end_turn'),
      stop,
    );
    expect(events.flatMap((event) => (event.type === 'reasoning-delta' ? [event.extra] : []))).toEqual([
      { type: 'redacted_thinking', data: 'z' },
      { ...search, input: { query: 'q' } },
      found,
    ]);
  });

  it('is complete with a reason, also without message_stop; and broken without', () => {
    expect(types(read(begin, because('end_turn')))).toEqual(['answer-start', 'finish', 'usage']);
    const broken = read(begin, open(0, toolUse('a')), json(0, '{}'), close(0));
    expect(types(broken)).toEqual(['answer-start', 'call-start', 'call-delta', 'error']);
    expect(broken.at(-1)).toMatchObject({ error: { code: 'upstream-broken' } });
    expect(read()).toMatchObject([{ type: 'error', error: { code: 'upstream-broken' } }]);
  });

  it('ends with the error of the upstream', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const events = read(begin, error, because('end_turn'), stop);
    expect(events.slice(1)).toMatchObject([
      { type: 'error', error: { code: 'overloaded', message: 'The upstream failed: Overloaded' } },
    ]);
  });

  it('never throws on data that is none of this', () => {
    for (const data of [
      null,
      1,
      'x',
      [],
      {},
      { type: 'content_block_delta' },
      { type: 'message_start', message: 3 },
    ]) {
      const decoder = createStreamDecoder();
      const events = [...decoder.feed(`data: ${JSON.stringify(data)}\n\n`), ...decoder.finish()];
      expect(events.at(-1)?.type).toBe('error');
    }
  });
});

describe('decodeResponse', () => {
  it('counts what the cache read and wrote as input', () => {
    const usage = {
      input_tokens: 1,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 100,
      output_tokens: 2,
    };
    expect(decodeResponse({ content: [], stop_reason: 'end_turn', usage }).at(-1)).toEqual({
      type: 'usage',
      usage: { inputTokens: 111, outputTokens: 2, cachedTokens: 10 },
    });
  });

  it('says that something is no message', () => {
    for (const body of [undefined, 'page', {}, { choices: [] }]) {
      expect(decodeResponse(body)).toMatchObject([{ type: 'error', error: { code: 'upstream-broken' } }]);
    }
    const error = { type: 'rate_limit_error', message: 'Slow down' };
    expect(decodeResponse({ type: 'error', error })).toMatchObject([{ error: { code: 'rate-limited' } }]);
  });
});
