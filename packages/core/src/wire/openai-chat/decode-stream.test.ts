import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../model/index.js';
import { decodeResponse } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';

function read(...data: (object | string)[]): AnswerEvent[] {
  const decoder = createStreamDecoder();
  const text = data.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`);
  return [...text.flatMap((each) => decoder.feed(each)), ...decoder.finish()];
}

const delta = (value: object, finish: string | null = null, index = 0) => ({
  id: 'a',
  choices: [{ index, delta: value, finish_reason: finish }],
});
const piece = (value: object) => delta({ tool_calls: [value] });
const finish = (reason: string) => delta({}, reason);

/** Calls as they came out: name, arguments, and whether they are complete. */
function callsOf(events: AnswerEvent[]): [id: string, name: string, text: string, ended: boolean][] {
  return events.flatMap((event) => {
    if (event.type !== 'call-start') return [];
    const text = events
      .map((each) => (each.type === 'call-delta' && each.id === event.id ? each.text : ''))
      .join('');
    return [
      [event.id, event.name, text, events.some((each) => each.type === 'call-end' && each.id === event.id)],
    ];
  });
}

const finishOf = (events: AnswerEvent[]) =>
  events.flatMap((event) => (event.type === 'finish' ? [event.reason] : []));
const errorOf = (events: AnswerEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'error' ? last.error.code : undefined;
};

describe('an upstream’s stream', () => {
  it('is read as the API has it', () => {
    const events = read(
      { id: 'x', model: 'm', created: 3, choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
      delta({ reasoning_content: 'hm' }),
      delta({ content: 'Hi' }),
      piece({ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } }),
      piece({ index: 0, function: { arguments: '{"a"' } }),
      piece({ index: 0, function: { arguments: ':1}' } }),
      finish('tool_calls'),
      {
        choices: [],
        usage: { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
      },
      '[DONE]',
    );
    expect(events).toEqual([
      { type: 'answer-start', id: 'x', model: 'm', created: 3 },
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'text-delta', text: 'Hi' },
      { type: 'call-start', id: 'c', name: 'f' },
      { type: 'call-delta', id: 'c', text: '{"a"' },
      { type: 'call-delta', id: 'c', text: ':1}' },
      { type: 'call-end', id: 'c' },
      { type: 'finish', reason: 'tool-calls' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, cachedTokens: 1 } },
    ]);
  });

  it('may say text and thoughts in other words', () => {
    const events = read(
      delta({ reasoning: 'a', reasoning_content: 'a' }),
      delta({ thinking: 'b' }),
      delta({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'c' }] },
          { type: 'text', text: 'd' },
          'e',
        ],
      }),
      delta({ refusal: 'f' }, 'stop'),
    );
    expect(events.flatMap((event) => ('text' in event ? [`${event.type} ${event.text}`] : []))).toEqual([
      'reasoning-delta a',
      'reasoning-delta b',
      'reasoning-delta c',
      'text-delta d',
      'text-delta e',
      'text-delta f',
    ]);
  });

  const f = { name: 'f', arguments: '{"a":1}' };
  const cases: [name: string, pieces: object[], calls: ReturnType<typeof callsOf>][] = [
    [
      'id and name in each piece',
      [
        { index: 0, id: 'c', function: { name: 'f', arguments: '{"a"' } },
        { index: 0, id: 'c', function: { name: 'f', arguments: ':1}' } },
      ],
      [['c', 'f', '{"a":1}', true]],
    ],
    [
      'a name in each piece and no id',
      [
        { index: 0, function: { name: 'f', arguments: '{"a":{}' } },
        { index: 0, function: { name: 'f', arguments: '}' } },
      ],
      [['call_0_0', 'f', '{"a":{}}', true]],
    ],
    [
      'a name in pieces',
      [
        { index: 0, id: 'c', function: { name: 'get_' } },
        { index: 0, function: { name: 'weather' } },
        { index: 0, function: { arguments: '{}' } },
      ],
      [['c', 'get_weather', '{}', true]],
    ],
    [
      'no id, then one',
      [
        { index: 0, function: { name: 'f' } },
        { index: 0, id: 'late', function: { arguments: '{}' } },
      ],
      [['late', 'f', '{}', true]],
    ],
    [
      'interleaved calls',
      [
        { index: 0, id: 'a', function: { name: 'f', arguments: '{' } },
        { index: 1, id: 'b', function: { name: 'g', arguments: '{' } },
        { index: 0, function: { arguments: '}' } },
        { index: 1, function: { arguments: '}' } },
      ],
      [
        ['a', 'f', '{}', true],
        ['b', 'g', '{}', true],
      ],
    ],
    [
      'no index at all',
      [
        { id: 'a', function: { name: 'f', arguments: '{"a"' } },
        { function: { arguments: ':1}' } },
        { id: 'b', function: f },
      ],
      [
        ['a', 'f', '{"a":1}', true],
        ['b', 'f', '{"a":1}', true],
      ],
    ],
    [
      'the index 0 for every call',
      [
        { index: 0, id: 'a', function: f },
        { index: 0, id: 'b', function: f },
        { index: 0, function: f },
      ],
      [
        ['a', 'f', '{"a":1}', true],
        ['b', 'f', '{"a":1}', true],
        ['call_0_2', 'f', '{"a":1}', true],
      ],
    ],
    [
      'one id for two calls',
      [
        { index: 0, id: 'a', function: f },
        { index: 1, id: 'a', function: f },
      ],
      [
        ['a', 'f', '{"a":1}', true],
        ['a_1', 'f', '{"a":1}', true],
      ],
    ],
    [
      'another id in each piece',
      [
        { index: 0, id: 'a', function: { name: 'f', arguments: '{"a"' } },
        { index: 0, id: 'b', function: { arguments: ':1}' } },
      ],
      [['a', 'f', '{"a":1}', true]],
    ],
    [
      'arguments as an object',
      [{ index: 0, id: 'a', function: { name: 'f', arguments: { a: 1 } } }],
      [['a', 'f', '{"a":1}', true]],
    ],
    [
      'no arguments',
      [{ index: 0, id: 'a', function: { name: 'f', arguments: null } }],
      [['a', 'f', '{}', true]],
    ],
    ['a flat call', [{ id: 'a', name: 'f', arguments: '{}' }], [['a', 'f', '{}', true]]],
    [
      'broken arguments',
      [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"a":' } }],
      [['a', 'f', '{"a":', false]],
    ],
  ];
  for (const [name, pieces, calls] of cases) {
    it(`may send calls with ${name}`, () => {
      expect(callsOf(read(...pieces.map(piece), finish('tool_calls')))).toEqual(calls);
      expect(callsOf(read(delta({ tool_calls: pieces }, 'tool_calls')))).toEqual(calls);
    });
  }

  it('may send the older calls', () => {
    const events = read(
      delta({ function_call: { name: 'f', arguments: '' } }),
      delta({ function_call: { arguments: '{}' } }),
      finish('function_call'),
    );
    expect(callsOf(events)).toEqual([['call_0_0', 'f', '{}', true]]);
    expect(finishOf(events)).toEqual(['tool-calls']);
  });

  it('may word its end in many ways', () => {
    const text = delta({ content: 'x' });
    for (const word of ['stop', 'eos', 'end_turn', 'STOP', 'tool_calls']) {
      expect(finishOf(read(text, finish(word)))).toEqual(['stop']);
    }
    expect(finishOf(read(text, finish('length')))).toEqual(['length']);
    expect(finishOf(read(text, finish('max_tokens')))).toEqual(['length']);
    expect(finishOf(read(text, finish('content_filter')))).toEqual(['content-filter']);
    const call = piece({ index: 0, id: 'a', function: f });
    expect(finishOf(read(call, finish('stop')))).toEqual(['tool-calls']);
    expect(finishOf(read(call, '[DONE]'))).toEqual(['tool-calls']);
    expect(finishOf(read(text, finish(''), '[DONE]'))).toEqual(['stop']);
  });

  it('says which text stopped it', () => {
    const events = read({
      choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop', stop_reason: '###' }],
    });
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop', stopSequence: '###' });
  });

  it('completes no call of an answer that was cut', () => {
    const events = read(piece({ index: 0, id: 'a', function: f }), finish('length'));
    expect(callsOf(events)).toEqual([['a', 'f', '{"a":1}', false]]);
    expect(finishOf(events)).toEqual(['length']);
    const broken = read(
      piece({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }),
      finish('tool_calls'),
    );
    expect(finishOf(broken)).toEqual(['length']);
  });

  it('may tell the usage in every chunk, or where one provider does', () => {
    const usage = (n: number) => ({ usage: { prompt_tokens: 1, completion_tokens: n } });
    const events = read({ ...delta({ content: 'a' }), ...usage(1) }, { ...finish('stop'), ...usage(2) });
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
    ]);
    expect(read({ ...delta({ content: 'a' }, 'stop'), x_groq: usage(3) }).at(-1)).toMatchObject({
      usage: { outputTokens: 3 },
    });
  });

  it('may hold several answers', () => {
    const events = read(
      delta({ content: 'a' }),
      delta({ content: 'b' }, null, 1),
      delta({}, 'stop', 1),
      finish('length'),
    );
    expect(events.slice(1)).toEqual([
      { type: 'text-delta', text: 'a' },
      { type: 'text-delta', text: 'b', choice: 1 },
      { type: 'finish', reason: 'length' },
      { type: 'finish', reason: 'stop', choice: 1 },
    ]);
  });

  it('is broken without an end', () => {
    expect(errorOf(read(delta({ content: 'a' })))).toBe('upstream-broken');
    expect(errorOf(read(delta({ content: 'a' }, 'stop'), delta({ content: 'b' }, null, 1)))).toBe(
      'upstream-broken',
    );
    expect(errorOf(read('[DONE]'))).toBe('upstream-broken');
    expect(errorOf(read())).toBe('upstream-broken');
    expect(errorOf(read('{"choices"'))).toBe('upstream-broken');
    expect(errorOf(read('5'))).toBe('upstream-broken');
    expect(callsOf(read(piece({ index: 0, id: 'a', function: f })))).toEqual([['a', 'f', '{"a":1}', false]]);
  });

  it('is over at an error, and at [DONE]', () => {
    const failed = read(
      delta({ content: 'a' }),
      { error: { message: 'Too many.', code: 429 } },
      delta({ content: 'b' }, 'stop'),
    );
    expect(failed.map(({ type }) => type)).toEqual(['answer-start', 'text-delta', 'error']);
    expect(errorOf(failed)).toBe('rate-limited');
    expect(errorOf(read({ object: 'error', message: 'no', code: 400 }))).toBe('upstream-refused');
    expect(errorOf(read({ error: 'it failed' }))).toBe('upstream-failed');
    const decoder = createStreamDecoder();
    const events = decoder.feed(`data: ${JSON.stringify(delta({ content: 'a' }))}\n\ndata: [DONE]\n\n`);
    expect(finishOf(events)).toEqual(['stop']);
    expect(decoder.finish()).toEqual([]);
  });

  it('is read once, however often the name is said again', () => {
    const start = piece({ index: 0, function: { name: 'f', arguments: '{"a":"' } });
    const quoted = piece({ index: 0, function: { name: 'f', arguments: '{}' } });
    const one = read(start, ...Array.from({ length: 20_000 }, () => quoted), finish('stop'));
    expect(one.filter(({ type }) => type === 'call-start')).toHaveLength(1);
  });
});

describe('an upstream’s whole answer', () => {
  it('is what its stream would have said', () => {
    const message = {
      content: 'x',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: {} } }],
    };
    const events = decodeResponse({ id: 'r', choices: [{ message, finish_reason: null }] });
    expect(events.map(({ type }) => type)).toEqual([
      'answer-start',
      'text-delta',
      'call-start',
      'call-delta',
      'call-end',
      'finish',
    ]);
  });

  it('is an error where it is no answer', () => {
    for (const body of [null, 5, 'x', {}, { choices: [] }, []]) {
      expect(errorOf(decodeResponse(body))).toBe('upstream-failed');
    }
    expect(errorOf(decodeResponse({ error: { message: 'no', code: 'x' } }))).toBe('upstream-failed');
    expect(decodeResponse({ error: null, choices: [{ message: { content: 'x' } }] }).at(-1)?.type).toBe(
      'finish',
    );
  });
});
