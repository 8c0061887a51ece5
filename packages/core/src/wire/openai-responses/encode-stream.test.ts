import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerEvent, ApiError, type Report } from '../../model/index.js';
import {
  call,
  coalesce,
  collect,
  contextFor,
  encodeAll,
  finish,
  framesOf,
  request,
  start,
  text,
  usage,
} from './answers.fixture.js';
import { decodeRequest } from './decode-request.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeResponse } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';

const seed = 20260302;

const types = (stream: string) =>
  framesOf(stream).map(({ data }) => String(data.type).replace('response.', ''));

const piece = fc.oneof(
  fc.constantFrom('', 'a', '\n\ndata: {"type":"error"}\n\n', '\u2028', '"'),
  fc.string({ maxLength: 8 }),
);
const stretch = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.map(text)),
  fc
    .array(piece, { minLength: 1, maxLength: 3 })
    .map((pieces) => pieces.map((one): AnswerEvent => ({ type: 'reasoning-delta', text: one }))),
  fc
    .tuple(
      fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
      fc.integer({ min: 1, max: 5 }),
    )
    .map(([input, size]) =>
      call('?', ...(JSON.stringify(input).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])),
    ),
);
/** Answers of several stretches, each call with an id of its own. */
const answerEvents = fc
  .tuple(
    fc.array(stretch, { maxLength: 6 }),
    fc.constantFrom('stop', 'tool-calls', 'length', 'content-filter'),
  )
  .map(([stretches, reason]) => {
    const told = stretches.flatMap((events, at) =>
      events.map((event) => ('id' in event ? { ...event, id: `call_${at}` } : event)),
    );
    const calls = told.some((event) => event.type === 'call-start');
    const usual = calls ? 'tool-calls' : 'stop';
    return [
      start,
      ...told,
      finish(reason === 'stop' || reason === 'tool-calls' ? usual : (reason as 'length')),
      usage,
    ] as AnswerEvent[];
  });

describe('the stream of an answer', () => {
  it('numbers its events from 0 without gaps, and names each in its event line', () => {
    fc.assert(
      fc.property(answerEvents, (events) => {
        const sent = framesOf(encodeAll(events));
        expect(sent.map(({ data }) => data.sequence_number)).toEqual(sent.map((_, at) => at));
        for (const { event, data } of sent) expect(data.type).toBe(event);
      }),
      { seed, numRuns: 200 },
    );
  });

  it('ends with what the whole answer would have been', () => {
    fc.assert(
      fc.property(answerEvents, (events) => {
        const last = framesOf(encodeAll(events)).at(-1);
        const whole = encodeResponse(collect(events), contextFor());
        expect(last?.data.response).toEqual(whole);
        expect(last?.event).toBe(`response.${whole.status}`);
      }),
      { seed, numRuns: 300 },
    );
  });

  it('is read by our own client as what it was, in whatever pieces it arrives', () => {
    fc.assert(
      fc.property(answerEvents, fc.integer({ min: 1, max: 200 }), (events, size) => {
        const stream = encodeAll(events);
        const decoder = createStreamDecoder();
        const read: AnswerEvent[] = [];
        for (let at = 0; at < stream.length; at += size)
          read.push(...decoder.feed(stream.slice(at, at + size)));
        read.push(...decoder.finish());
        expect(coalesce(read)).toEqual(coalesce(events));
        expect(coalesce(decodeResponse(encodeResponse(collect(events), contextFor())))).toEqual(
          coalesce(events),
        );
      }),
      { seed, numRuns: 200 },
    );
  });

  it('is an error to our own client if it is cut anywhere before its end', () => {
    const stream = encodeAll([
      start,
      text('Hello'),
      ...call('call_1', '{"a"', ':1}'),
      finish('tool-calls'),
      usage,
    ]);
    const last = stream.lastIndexOf('event: ');
    for (let at = 0; at < stream.length - 4; at += 7) {
      const decoder = createStreamDecoder();
      const read = [...decoder.feed(stream.slice(0, at)), ...decoder.finish()];
      expect(read.at(-1)?.type).toBe('error');
      if (at < last) expect(read.some((event) => event.type === 'finish')).toBe(false);
    }
  });

  it('repeats tools in its first and last events, and huge ones not in the second', () => {
    const toolsOf = (description: string) => {
      const tool = { type: 'function', name: 'read', description, parameters: { type: 'object' } };
      const context = contextFor(decodeRequest({ model: 'm', input: 'hi', tools: [tool] }));
      const sent = framesOf(encodeAll([start, text('Hello.'), finish('stop'), usage], context));
      return sent.flatMap(({ data: { response } }) =>
        response === undefined ? [] : [(response as { tools: unknown[] }).tools.length],
      );
    };
    expect(toolsOf('Reads a file.')).toEqual([1, 1, 1]);
    expect(toolsOf('x'.repeat(2 ** 20))).toEqual([1, 0, 1]);
  });

  it('tells a text, a thought and a call in this order', () => {
    const events = [
      start,
      { type: 'reasoning-delta', text: 'Hm' } as const,
      text('Let me '),
      text('look.'),
      ...call('call_1', '{"path":', '"a"}'),
      finish('tool-calls'),
      usage,
    ];
    expect(types(encodeAll(events))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
  });

  it('keeps calls apart that an upstream wrote at the same time', () => {
    const [a, b] = [call('call_a', '{"a":', '1}'), call('call_b', '{"b":', '2}')];
    const mixed = [a[0]!, b[0]!, b[1]!, a[1]!, b[2]!, b[3]!, text('!'), a[2]!, a[3]!];
    const stream = encodeAll([start, ...mixed, finish('tool-calls'), usage]);
    const apart = encodeAll([start, ...a, ...b, text('!'), finish('tool-calls'), usage]);
    expect(framesOf(stream).at(-1)).toMatchObject({
      data: { response: framesOf(apart).at(-1)?.data.response },
    });
    let open: unknown;
    for (const { data } of framesOf(stream)) {
      if (data.type === 'response.output_item.added') {
        expect(open).toBeUndefined();
        open = data.output_index;
      } else if ('output_index' in data) expect(data.output_index).toBe(open);
      if (data.type === 'response.output_item.done') open = undefined;
    }
  });

  it('never says that a call is done which was cut off, and ends incomplete', () => {
    const stream = encodeAll([
      start,
      text('Now'),
      ...call('call_1', '{"a":1}').slice(0, -1),
      finish('tool-calls'),
      usage,
    ]);
    const sent = framesOf(stream);
    expect(types(stream)).not.toContain('function_call_arguments.done');
    expect(types(stream).filter((type) => type === 'output_item.done')).toHaveLength(1);
    expect(sent.at(-1)).toMatchObject({
      event: 'response.incomplete',
      data: {
        response: {
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          output: [
            { type: 'message' },
            { type: 'function_call', status: 'incomplete', arguments: '{"a":1}' },
          ],
        },
      },
    });
    const decoder = createStreamDecoder();
    const read = [...decoder.feed(stream), ...decoder.finish()];
    expect(read.some((event) => event.type === 'call-end')).toBe(false);
    expect(read).toContainEqual(finish('length'));
  });

  it('tells of an error as an event and as the end, before and inside an answer', () => {
    const error: AnswerEvent = { type: 'error', error: new ApiError('upstream-broken', 'It broke.') };
    expect(types(encodeAll([error]))).toEqual(['created', 'in_progress', 'error', 'failed']);
    const sent = framesOf(encodeAll([start, text('Hel'), error, text('lo'), finish('stop')]));
    expect(sent.at(-2)?.data).toMatchObject({
      type: 'error',
      message: 'It broke.',
      error: { message: 'It broke.' },
    });
    expect(sent.at(-1)?.data.response).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: 'It broke.' },
      output: [{ status: 'incomplete', content: [{ text: 'Hel' }] }],
    });
  });

  it('fails if it ends without having finished', () => {
    expect(types(encodeAll([start, text('Hel')])).slice(-2)).toEqual(['error', 'failed']);
  });

  it.each<[string, AnswerEvent[]]>([
    ['an answer', [start, text('Hello.'), ...call('call_1', '{"a":1}'), usage, finish('tool-calls')]],
    ['one that is cut off', [start, text('Hel')]],
    ['an error before everything', [{ type: 'error', error: new ApiError('upstream-broken', 'It broke.') }]],
    ['an error inside', [text('a'), { type: 'error', error: new ApiError('upstream-broken', 'It broke.') }]],
    ['nothing', []],
  ])('gives the events that repeat a long request in pieces, and the same in all: %s', (_, events) => {
    const tools = Array.from({ length: 30 }, (_, at) => ({
      ...{ type: 'function', name: `f${at}`, description: 'x'.repeat(50_000) },
      parameters: { type: 'object', properties: { a: { description: '你好 😀 "' } } },
    }));
    const long = decodeRequest({ model: 'm', input: 'hi', tools });
    const whole = encodeAll(events, contextFor(long));
    for (const drains of [true, false]) {
      const encoder = createStreamEncoder({ ...contextFor(long), inPieces: true });
      const pieces: string[] = [];
      const drain = () => {
        for (let rest = encoder.rest?.(); rest; rest = encoder.rest?.()) pieces.push(rest);
      };
      for (const event of events) {
        pieces.push(encoder.encode(event));
        if (drains) drain();
      }
      pieces.push(encoder.end());
      drain();
      expect(pieces.join('') === whole).toBe(true);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(whole.length / 10);
    }
    const sent = framesOf(whole);
    const toolsIn = (at: number) =>
      (sent.at(at)?.data.response as { tools: unknown[] } | undefined)?.tools.length;
    expect([toolsIn(0), toolsIn(1), toolsIn(-1)]).toEqual([30, 0, 30]);
  });

  it('writes fewer argument fragments than clients take, and loses none', () => {
    const pieces = Array.from({ length: 100_000 }, () => 'x');
    const stream = encodeAll([start, ...call('call_1', '{"a":"', ...pieces, '"}'), finish('tool-calls')]);
    const deltas = framesOf(stream).filter(
      ({ data }) => data.type === 'response.function_call_arguments.delta',
    );
    expect(deltas.length).toBeLessThan(20_000);
    expect(deltas.map(({ data }) => data.delta).join('')).toBe(`{"a":"${pieces.join('')}"}`);
  });

  it('tells the report only to those who asked', () => {
    const report: Report = { mode: 'emulate', issues: [], repairs: [], reasks: [] };
    const events: AnswerEvent[] = [start, text('a'), finish('stop'), usage, { type: 'report', report }];
    expect(framesOf(encodeAll(events)).at(-1)?.data.response).not.toHaveProperty('dragoman');
    const asked = framesOf(encodeAll(events, contextFor(request, true))).at(-1)?.data.response;
    expect(asked).toHaveProperty('dragoman', report);
  });

  it('says the namespace of a function beside its name', () => {
    const named: AnswerEvent[] = [
      { type: 'call-start', id: 'call_1', name: 'crm__find' },
      { type: 'call-delta', id: 'call_1', text: '{}' },
      { type: 'call-end', id: 'call_1' },
    ];
    const stream = encodeAll([start, ...named, finish('tool-calls')]);
    expect(framesOf(stream).at(-1)?.data).toMatchObject({
      response: { output: [{ name: 'find', namespace: 'crm' }] },
    });
    const decoder = createStreamDecoder();
    expect([...decoder.feed(stream), ...decoder.finish()]).toContainEqual(named[0]);
  });

  it('keeps the encrypted form of a thought, which ends it', () => {
    const sealed = { id: 'rs_up', encrypted_content: 'SECRET' };
    const events: AnswerEvent[] = [
      start,
      { type: 'reasoning-delta', text: 'one', extra: { id: 'rs_up' } },
      { type: 'reasoning-delta', text: '', extra: sealed },
      { type: 'reasoning-delta', text: 'two' },
      finish('stop'),
    ];
    const last = framesOf(encodeAll(events)).at(-1)?.data.response as { output: unknown };
    expect(last.output).toMatchObject([
      { ...sealed, summary: [{ text: 'one' }] },
      { summary: [{ text: 'two' }] },
    ]);
    expect(encodeResponse(collect(events), contextFor()).output).toEqual(last.output);
  });
});

describe('a whole answer', () => {
  it('repeats what the request said', () => {
    expect(encodeResponse(collect([start, text('a'), finish('stop')]), contextFor())).toMatchObject({
      object: 'response',
      created_at: 7,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: 'Be brief.',
      temperature: 0.5,
      top_p: null,
      metadata: { a: 'b' },
      tool_choice: 'auto',
      text: { format: { type: 'text' }, verbosity: 'low' },
      store: false,
      parallel_tool_calls: true,
      tools: [
        { name: 'read', strict: false },
        { type: 'web_search' },
        { type: 'namespace', name: 'crm', tools: [{ name: 'find' }] },
      ],
      usage: { input_tokens: 0, total_tokens: 0 },
    });
  });
});
