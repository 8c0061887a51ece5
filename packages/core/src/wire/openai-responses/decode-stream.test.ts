import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../model/index.js';
import { call, coalesce, finish, text } from './answers.fixture.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';

const seed = 20260303;

describe('what other servers send', () => {
  const read = (...sent: object[]) => {
    const decoder = createStreamDecoder();
    const stream = sent.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
    return [...decoder.feed(stream), ...decoder.finish()];
  };
  const done = { type: 'response.completed', response: { status: 'completed', output: [] } };

  it('may be whole items without deltas', () => {
    const items = [
      { type: 'reasoning', summary: [{ text: 'one' }, { text: 'two' }] },
      {
        type: 'message',
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'refusal', refusal: 'b' },
        ],
      },
      { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"a":1}' },
    ];
    const expected: AnswerEvent[] = [
      { type: 'answer-start' },
      { type: 'reasoning-delta', text: 'one\n\ntwo' },
      text('ab'),
      ...call('c', '{"a":1}'),
      finish('tool-calls'),
    ];
    const events = items.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item }));
    expect(coalesce(read(...events, done))).toEqual(expected);
    expect(coalesce(read({ ...done, response: { output: items } }))).toEqual(expected);
  });

  it('may be arguments that only come with their end', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'read', arguments: '' };
    const events = read(
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a"' },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"a":1}' },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: '{"a":1}' } },
      done,
    );
    expect(coalesce(events)).toEqual([
      { type: 'answer-start' },
      ...call('c', '{"a":1}'),
      finish('tool-calls'),
    ]);
  });

  it('is no complete call if its arguments are no JSON object', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"a":' };
    const events = read({ type: 'response.output_item.done', output_index: 0, item }, done);
    expect(events.some((event) => event.type === 'call-end')).toBe(false);
    expect(events.at(-1)).toEqual({ ...finish('length'), given: 'tool-calls' });
  });

  it('is read once where a thought comes in full and as a summary', () => {
    const at = { output_index: 0, item_id: 'rs_1' };
    const events = read(
      { type: 'response.reasoning_text.delta', ...at, content_index: 0, delta: 'full' },
      { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta: 'short' },
      {
        type: 'response.output_item.done',
        ...at,
        item: { type: 'reasoning', id: 'rs_1', summary: [{ text: 'short' }], content: [{ text: 'full' }] },
      },
      done,
    );
    expect(events.filter((event) => event.type === 'reasoning-delta')).toEqual([
      { type: 'reasoning-delta', text: 'full', extra: { id: 'rs_1' } },
    ]);
  });

  it.each([
    [{ type: 'error', code: 'server_error', message: 'Oops.' }, 'upstream-failed', 'Oops.'],
    [{ type: 'error', error: { code: 'rate_limit_exceeded', message: 'Slow.' } }, 'rate-limited', 'Slow.'],
    [
      { type: 'response.failed', response: { error: { code: 'x', message: 'No.' } } },
      'upstream-failed',
      'No.',
    ],
    [{ type: 'response.cancelled' }, 'upstream-broken', 'cancelled'],
  ])('may be an error: %j', (sent, code, message) => {
    const event = read(sent).at(-1);
    expect(event).toMatchObject({ type: 'error', error: { code } });
    expect(event?.type === 'error' && event.error.message).toContain(message);
  });

  it.each([
    [null],
    ['text'],
    [{}],
    [{ output: [], status: 'queued' }],
    [{ error: { message: 'x' } }],
    [{ status: 'failed', output: [] }],
  ])('is an error where it is no finished answer: %j', (body) => {
    expect(decodeResponse(body).at(-1)?.type).toBe('error');
  });

  it('never throws, whatever it is', () => {
    const type = fc.constantFrom(
      'response.created',
      'response.output_item.added',
      'response.output_item.done',
      'response.output_text.delta',
      'response.function_call_arguments.delta',
      'response.completed',
      'error',
    );
    const randomInput = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type,
        item: fc.jsonValue(),
        delta: fc.jsonValue(),
        output_index: fc.jsonValue(),
        response: fc.jsonValue(),
      }),
    );
    fc.assert(
      fc.property(fc.array(randomInput, { maxLength: 6 }), (sent) => {
        const decoder = createStreamDecoder();
        const events = sent.flatMap((data) => decoder.feed(`data: ${JSON.stringify(data)}\n\n`));
        const last = [...events, ...decoder.finish()].at(-1);
        expect(['finish', 'usage', 'error']).toContain(last?.type);
      }),
      { seed, numRuns: 300 },
    );
  });
});
