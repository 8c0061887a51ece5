import { describe, expect, it } from 'vitest';
import { type AnswerEvent, ApiError, type ModelRequest, type Report } from '../../model/index.js';
import type { BridgeEvent, BridgeOptions } from '../options.js';
import { createAsk } from '../reply/create-ask.js';
import type { Upstream, UpstreamRequest } from '../upstream/upstream.js';
import { heal } from './heal.js';

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
} as const;
const request: ModelRequest = {
  model: 'Qwen/Qwen3-8B',
  conversation: {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Weather?' }] }],
    tools: [{ name: 'get_weather', parameters: { ...schema, required: ['city'] } }, { name: 'now' }],
    toolChoice: 'auto',
  },
  settings: {},
  stream: true,
};
const only: ModelRequest = {
  ...request,
  conversation: { ...request.conversation, tools: request.conversation.tools.slice(0, 1) },
};
const forced: ModelRequest = {
  ...request,
  conversation: { ...request.conversation, toolChoice: { name: 'get_weather' } },
};

const ollama = (raw: string) =>
  new ApiError('upstream-failed', `The upstream answered 500: error parsing tool call: raw='${raw}', err=x`, {
    status: 500,
    body: JSON.stringify({ error: `error parsing tool call: raw='${raw}', err=x` }),
  });
const HERMES = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>';
const emulated: AnswerEvent[] = [
  { type: 'answer-start' },
  { type: 'text-delta', text: 'Hi.' },
  { type: 'finish', reason: 'stop' },
];

/** Answers each request with the next of these; the last is repeated. An error is thrown. */
function answering(...answers: (AnswerEvent[] | ApiError)[]): Upstream & { asked: UpstreamRequest[] } {
  const asked: UpstreamRequest[] = [];
  return {
    takes: 'messages',
    tools: true,
    media: false,
    asked,
    async *ask(upstreamRequest) {
      const answer = answers[Math.min(asked.push(upstreamRequest), answers.length) - 1] ?? [];
      if (answer instanceof ApiError) throw answer;
      yield* answer;
    },
  };
}

interface Got {
  events: AnswerEvent[];
  calls: [name: string, json: string][];
  report: Report;
}

async function healed(upstream: Upstream, asked = request, options: BridgeOptions = {}): Promise<Got> {
  const events: AnswerEvent[] = [];
  let made = 0;
  const settled = { newId: (prefix: string) => `${prefix}${++made}`, ...options };
  const { signal } = new AbortController();
  for await (const event of heal(asked, upstream, { ...settled, signal })) events.push(event);
  const names = events.flatMap((event) => (event.type === 'call-start' ? [event.name] : []));
  const jsons = events.flatMap((event) => (event.type === 'call-delta' ? [event.text] : []));
  const last = events.at(-1);
  if (last?.type !== 'report') throw new Error('the report comes last');
  return { events, calls: names.map((name, at) => [name, jsons[at] ?? '']), report: last.report };
}

const codes = (notes: { code: string }[]) => notes.map(({ code }) => code);

describe('calls in an error', () => {
  it('make an answer: start, calls, finish, usage, report', async () => {
    const told: BridgeEvent[] = [];
    const upstream = answering(ollama(HERMES));
    const { events, report } = await healed(upstream, request, { onEvent: (event) => void told.push(event) });
    expect(events.slice(0, -2)).toEqual([
      { type: 'answer-start' },
      { type: 'call-start', id: 'call_1', name: 'get_weather' },
      { type: 'call-delta', id: 'call_1', text: '{"city":"Rome"}' },
      { type: 'call-end', id: 'call_1' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
    expect(events.at(-2)).toEqual({
      type: 'usage',
      usage: { inputTokens: 2, outputTokens: Math.ceil(HERMES.length / 4), estimated: true },
    });
    expect(report).toMatchObject({ mode: 'heal', dialect: 'hermes', issues: [], reasks: [] });
    expect(report.repairs).toEqual([
      { code: 'rescued-call', range: [expect.any(Number), expect.any(Number)] },
    ]);
    expect(report.rescued).toMatch(/^The upstream answered 500: error parsing tool call: raw='<tool_call>/);
    expect(report.rescued?.length).toBeLessThanOrEqual(200);
    expect(told).toContainEqual({ type: 'upstream-text', choice: 0, attempt: 0, text: HERMES });
    expect(told.some(({ type }) => type === 'parse')).toBe(true);
    expect(upstream.asked).toHaveLength(1);
  });

  it.each([
    ['strict JSON', '{"city": "Rome"}', '{"city": "Rome"}', []],
    [
      'a trailing comma and single quotes',
      `{'city': 'Rome',}`,
      '{"city": "Rome"}',
      ['single-quotes', 'trailing-comma'],
    ],
    ['too many brackets', '{"city": "Rome"}}]', '{"city": "Rome"}', ['text-in-block']],
    [
      'a number as a string',
      '{"city": "Rome", "days": "3"}',
      '{"city": "Rome", "days": 3}',
      ['string-as-scalar'],
    ],
  ])('may be arguments alone, of the only tool: %s', async (_, raw, json, repairs) => {
    for (const asked of [only, forced]) {
      const { calls, report } = await healed(answering(ollama(raw)), asked);
      expect(calls.map(([name, text]) => [name, JSON.parse(text)])).toEqual([
        ['get_weather', JSON.parse(json)],
      ]);
      expect([...new Set(codes(report.repairs))].sort()).toEqual(['rescued-call', ...repairs].sort());
    }
  });

  it.each<[string, string, ModelRequest]>([
    ['are cut', '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Ro', request],
    ['are arguments that are cut', '{"city": "Ro', only],
    ['are arguments of one of several tools', '{"city": "Rome"}', request],
    ['break the schema', '{"name": "get_weather", "arguments": {"days": 1}}', request],
    ['are arguments that break the schema', '{"days": 1}', only],
    ['are of an undeclared tool', '{"name": "rm_all", "arguments": {}}', request],
    ['are of an undeclared tool, and there is one other', '{"name": "rm_all", "arguments": {}}', only],
    ['are arguments with members that no tool has', '{"city": "Rome", "path": "/"}', only],
    ['are of another tool than the one asked for', '{"name": "now", "arguments": {}}', forced],
    ['are no calls', 'I would rather not.', only],
    ['are nothing', ' ', only],
  ])('are asked for again in emulation where they %s', async (_, raw, asked) => {
    const told: BridgeEvent[] = [];
    const upstream = answering(ollama(raw), emulated);
    const { calls, report } = await healed(upstream, asked, { onEvent: (event) => void told.push(event) });
    expect(calls).toEqual([]);
    const withTools = upstream.asked.map(({ conversation }) => conversation.tools.length > 0);
    // Emulation asks again itself where a call was required.
    expect(withTools.slice(0, 2)).toEqual([true, false]);
    expect(withTools.slice(2)).not.toContain(true);
    expect(report.mode).toBe('emulate');
    const text = raw.trim() === '' ? '' : raw;
    expect(report.reasks[0]).toEqual({ choice: 0, reasons: [ollama(raw).message], issues: [], text });
    expect(told.some(({ type }) => type === 'reask')).toBe(true);
    expect(told.some(({ type }) => type === 'tools-refused')).toBe(false);
  });

  it('that a user or a tool wrote are not taken', async () => {
    const parts = [{ type: 'text' as const, text: `What does ${HERMES} do? And {"city": "Rome"}?` }];
    for (const [raw, tools] of [
      [HERMES, request.conversation.tools],
      ['{"city": "Rome"}', only.conversation.tools],
    ] as const) {
      const conversation = {
        ...request.conversation,
        tools: [...tools],
        messages: [{ role: 'user' as const, parts }],
      };
      const { calls } = await healed(answering(ollama(raw), emulated), { ...request, conversation });
      expect(calls).toEqual([]);
    }
  });

  it('beside one that is cut are delivered, and the report has the other', async () => {
    const { calls, report } = await healed(
      answering(ollama(`${HERMES}\n<tool_call>\n{"name": "now", "argu`)),
    );
    expect(calls).toEqual([['get_weather', '{"city":"Rome"}']]);
    expect(codes(report.issues)).toContain('incomplete-call');
  });

  it('whose text may be cut by its own closer are not taken', async () => {
    const value = (city: string) =>
      ollama(`<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>${city}</arg_value>\n</tool_call>`);
    const glm = { ...request, model: 'GLM-4.5' };
    expect((await healed(answering(value('Rome')), glm)).calls).toEqual([['get_weather', '{"city":"Rome"}']]);
    const cut = value('Rome\n</arg_value>\n</tool_call>\nOslo');
    const { calls, events } = await healed(answering(cut, emulated), glm);
    expect(calls).toEqual([]);
    expect(events).toContainEqual({ type: 'text-delta', text: 'Hi.' });
  });

  it('are cut after the first where the client wants one at a time', async () => {
    const two = ollama(`${HERMES}\n${HERMES.replace('Rome', 'Oslo')}`);
    expect((await healed(answering(two))).calls).toHaveLength(2);
    const single = { ...request, settings: { parallelCalls: false } };
    expect((await healed(answering(two), single)).calls).toEqual([['get_weather', '{"city":"Rome"}']]);
  });

  it('are not taken where no calls are wanted, or several answers', async () => {
    const { conversation } = request;
    const none = { ...request, conversation: { ...conversation, toolChoice: 'none' as const } };
    const several = { ...request, settings: { choices: 2 } };
    for (const asked of [none, several]) {
      const { calls, report } = await healed(answering(ollama(HERMES), emulated), asked);
      expect(calls).toEqual([]);
      expect(report.mode).toBe('emulate');
    }
    const text = await healed(answering(ollama(HERMES), emulated), request, { policies: { calls: 'text' } });
    expect(text.calls).toEqual([]);
  });

  it('are read in another dialect than the watched one, if it is the only reading', async () => {
    const raw = '<|tool_call_start|>[get_weather(city="Rome")]<|tool_call_end|>';
    const { calls } = await healed(answering(ollama(raw)));
    expect(calls.map(([name, json]) => [name, JSON.parse(json)])).toEqual([
      ['get_weather', { city: 'Rome' }],
    ]);
  });

  it('are read in the watched dialects alone where they are long', async () => {
    const city = 'x'.repeat(20_000);
    const own = await healed(answering(ollama(HERMES.replace('Rome', city))));
    expect(own.calls).toEqual([['get_weather', JSON.stringify({ city })]]);
    const other = `<|tool_call_start|>[get_weather(city="${city}")]<|tool_call_end|>`;
    expect((await healed(answering(ollama(other), emulated))).report.mode).toBe('emulate');
  });

  it('get ids that no earlier call has', async () => {
    const messages: ModelRequest['conversation']['messages'] = [
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'n1', name: 'now', input: {} }],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'n1', name: 'now', output: '12:00' }],
      },
    ];
    const asked = { ...request, conversation: { ...request.conversation, messages } };
    const raw =
      '<tools>[{"name":"now","id":"n1","parameters":{}},{"name":"now","id":"n2","parameters":{"x":1}}]</tools>';
    const { events } = await healed(answering(ollama(raw)), asked, { watch: ['alkaid'] });
    expect(events.flatMap((event) => (event.type === 'call-end' ? [event.id] : []))).toEqual([
      'call_1',
      'n2',
    ]);
  });
});

describe('an error that comes late', () => {
  const start: AnswerEvent = { type: 'answer-start', id: 'a' };
  const thought: AnswerEvent = { type: 'reasoning-delta', text: 'Hm.' };
  const error = (raw: string): AnswerEvent => ({ type: 'error', error: ollama(raw) });

  it('is rescued as the first event of a stream', async () => {
    const { events, calls } = await healed(answering([start, error(HERMES)]));
    expect(events[0]).toEqual(start);
    expect(calls).toEqual([['get_weather', '{"city":"Rome"}']]);
  });

  it('is rescued after reasoning: nothing has to be taken back', async () => {
    const { events, calls } = await healed(answering([start, thought, error(HERMES)]));
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      'answer-start',
      'reasoning-delta',
      'call-start',
    ]);
    expect(calls).toEqual([['get_weather', '{"city":"Rome"}']]);
  });

  it('is asked for again after reasoning, with one start', async () => {
    const { events, report } = await healed(answering([start, thought, error('no')], emulated));
    expect(events.filter(({ type }) => type === 'answer-start')).toEqual([start]);
    expect(events).toContainEqual({ type: 'text-delta', text: 'Hi.' });
    expect(report.mode).toBe('emulate');
  });

  it.each<[string, AnswerEvent[]]>([
    ['text', [{ type: 'text-delta', text: 'Let me see.' }]],
    ['a call', [{ type: 'call-start', id: 'c', name: 'now' }]],
  ])('stays an error after %s', async (_, delivered) => {
    const upstream = answering([start, ...delivered, error(HERMES)], emulated);
    await expect(healed(upstream)).rejects.toThrow('error parsing tool call');
    expect(upstream.asked).toHaveLength(1);
  });

  it('stays an error after a call that waits for the end of the answer', async () => {
    const call: AnswerEvent[] = [
      { type: 'call-start', id: 'c', name: 'now' },
      { type: 'call-delta', id: 'c', text: '{}' },
      { type: 'call-end', id: 'c' },
    ];
    const upstream = answering([start, ...call, error(HERMES)], emulated);
    await expect(healed(upstream, { ...request, stream: false })).rejects.toThrow('error parsing tool call');
  });

  it('is rescued when the model was asked again', async () => {
    const wrong: AnswerEvent[] = [
      { type: 'call-start', id: 'c', name: 'get_weather' },
      { type: 'call-delta', id: 'c', text: '{"days": 1}' },
      { type: 'call-end', id: 'c' },
      { type: 'finish', reason: 'tool-calls' },
    ];
    const whole = { ...request, stream: false };
    const { calls, report } = await healed(answering([start, ...wrong], ollama(HERMES)), whole);
    expect(calls).toEqual([['get_weather', '{"city":"Rome"}']]);
    expect(report).toMatchObject({ mode: 'heal', rescued: expect.any(String), reasks: [{ choice: 0 }] });
    const again = await healed(answering([start, ...wrong], ollama('no'), emulated), whole);
    expect(again.report.mode).toBe('emulate');
    expect(again.report.reasks.map(({ reasons }) => reasons[0])).toEqual([
      expect.stringContaining('city'),
      ollama('no').message,
    ]);
  });

  it('stays an error without tools', async () => {
    const bare = { ...request, conversation: { ...request.conversation, tools: [] } };
    await expect(healed(answering(ollama(HERMES), emulated), bare)).rejects.toThrow(
      'error parsing tool call',
    );
  });
});

describe('a model whose call could not be read', () => {
  it('is asked with tools the next time', async () => {
    const upstream = answering(ollama('no'), emulated, ollama('no'), emulated);
    const ask = createAsk({ upstream });
    for (let time = 0; time < 2; time++) {
      for await (const event of ask(request, { signal: new AbortController().signal })) void event;
    }
    const withTools = upstream.asked.map(({ conversation }) => conversation.tools.length > 0);
    expect(withTools).toEqual([true, false, true, false]);
  });
});
