import { describe, expect, it } from 'vitest';
import { type AnswerEvent, ApiError, type ModelRequest, type Report } from '../../model/index.js';
import type { BridgeEvent, BridgeOptions } from '../options.js';
import type { Upstream, UpstreamRequest } from '../upstream/upstream.js';
import { heal } from './heal.js';

const HERMES = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>';

const request: ModelRequest = {
  model: 'Qwen/Qwen3-8B',
  conversation: {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Weather?' }] }],
    tools: [
      { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
      { name: 'now' },
    ],
    toolChoice: 'auto',
  },
  settings: {},
  stream: true,
};

const stop: AnswerEvent = { type: 'finish', reason: 'stop' };
const say = (text: string, choice?: number): AnswerEvent =>
  choice === undefined ? { type: 'text-delta', text } : { type: 'text-delta', text, choice };

function native(id: string, name: string, ...args: string[]): AnswerEvent[] {
  return [
    { type: 'call-start', id, name },
    ...args.map((text): AnswerEvent => ({ type: 'call-delta', id, text })),
    { type: 'call-end', id },
  ];
}

/** An upstream that answers each request with the next of these: events, or an error that it throws. */
function answering(...answers: (AnswerEvent[] | ApiError)[]): Upstream & { asked: UpstreamRequest[] } {
  const asked: UpstreamRequest[] = [];
  return {
    takes: 'messages',
    tools: true,
    media: false,
    asked,
    async *ask(upstreamRequest) {
      asked.push(upstreamRequest);
      const answer = answers[asked.length - 1] ?? [];
      if (answer instanceof ApiError) throw answer;
      yield* answer;
    },
  };
}

async function healAll(
  upstream: Upstream,
  options: BridgeOptions = {},
  asked: ModelRequest = request,
): Promise<AnswerEvent[]> {
  const events: AnswerEvent[] = [];
  let made = 0;
  const { signal } = new AbortController();
  const settled = { newId: (prefix: string) => `${prefix}${++made}`, ...options, signal };
  for await (const event of heal(asked, upstream, settled)) events.push(event);
  return events;
}

/** Without the report, and without usage that was only estimated. */
const withoutReport = (events: AnswerEvent[]) =>
  events.filter((event) => event.type !== 'report' && !(event.type === 'usage' && event.usage.estimated));

function reportOf(events: AnswerEvent[]): Report {
  const last = events.at(-1);
  if (last?.type !== 'report') throw new Error('the report comes last');
  const { usage, ...report } = last.report;
  expect(usage).toBeDefined();
  return report;
}

const textOf = (events: AnswerEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

const codes = (notes: { code: string }[]) => notes.map(({ code }) => code);

describe('a native answer', () => {
  it('passes untouched, event by event', async () => {
    const events: AnswerEvent[] = [
      { type: 'answer-start', id: 'a', model: 'm' },
      { type: 'reasoning-delta', text: `Perhaps ${HERMES}` },
      say('Let me see.'),
      ...native('c1', 'get_weather', '{"city":', '"Rome"}'),
      ...native('c2', 'now', '{}'),
      { type: 'finish', reason: 'tool-calls' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
    ];
    const healed = await healAll(answering(events));
    expect(withoutReport(healed)).toEqual(events);
    expect(reportOf(healed)).toEqual({
      mode: 'heal',
      dialect: 'hermes',
      dialectFrom: 'model',
      issues: [],
      repairs: [],
      reasks: [],
    });
  });

  it('says the text before a native call before it, line breaks and half a marker as well', async () => {
    const events = [say('Look:\n\n<tool'), ...native('c1', 'now', '{}'), say('_call> is a tag.'), stop];
    const healed = withoutReport(await healAll(answering(events)));
    const at = healed.findIndex(({ type }) => type === 'call-start');
    expect(textOf(healed.slice(0, at))).toBe('Look:\n\n<tool');
    expect(textOf(healed.slice(at))).toBe('_call> is a tag.');
  });

  it('is asked for as the client asked, without what steers the server', async () => {
    const upstream = answering([stop]);
    await healAll(
      upstream,
      {},
      { ...request, extra: { top_a: 1, chat_template: 'x', more: { api_base: 'y' } } },
    );
    expect(upstream.asked).toEqual([{ ...request, extra: { top_a: 1, more: {} } }]);
  });

  it('is not watched without tools, with a choice of none, or where no dialect is known', async () => {
    const events = [say(HERMES), stop];
    const { conversation } = request;
    const unwatched: ModelRequest[] = [
      { ...request, conversation: { ...conversation, tools: [] } },
      { ...request, conversation: { ...conversation, toolChoice: 'none' } },
      { ...request, model: 'gpt-5' },
    ];
    for (const one of unwatched) {
      expect(withoutReport(await healAll(answering(events), {}, one))).toEqual(events);
    }
    expect(withoutReport(await healAll(answering(events), { policies: { calls: 'text' } }))).toEqual(events);
  });
});

describe('a leaked call', () => {
  it('becomes a real one, and the finish reason with it, and is reported', async () => {
    const healed = await healAll(answering([say('Sure.\n'), say(HERMES), stop]));
    expect(withoutReport(healed)).toEqual([
      say('Sure.'),
      ...native('call_1', 'get_weather', '{"city":"Rome"}'),
      { type: 'finish', reason: 'tool-calls' },
    ]);
    expect(reportOf(healed).repairs).toEqual([{ code: 'leaked-call', range: [6, 6 + HERMES.length] }]);
  });

  it('leaves length as the reason', async () => {
    const healed = await healAll(answering([say(HERMES), { type: 'finish', reason: 'length' }]));
    expect(healed).toContainEqual({ type: 'finish', reason: 'length' });
    expect(healed).toContainEqual({ type: 'call-end', id: 'call_1' });
  });

  it.each([
    ['stop', 1],
    ['length', 0],
  ] as const)(
    'whose value has lost its closer is whole where the reason is %s: %i',
    async (reason, count) => {
      const text = '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome\n</tool_call>';
      const asked = { ...request, model: 'zai-org/GLM-4.5' };
      const healed = await healAll(answering([say(text), { type: 'finish', reason }]), {}, asked);
      expect(healed.filter(({ type }) => type === 'call-end')).toHaveLength(count);
    },
  );

  it('is delivered with the issue where its input breaks the schema', async () => {
    const wrong = answering([say(HERMES.replace('"Rome"', '7')), stop]);
    const healed = await healAll(wrong, { reasks: 0 });
    expect(healed).toContainEqual({ type: 'call-delta', id: 'call_1', text: '{"city":7}' });
    expect(codes(reportOf(healed).issues)).toEqual(['schema-mismatch']);
  });

  it.each([
    ['of an undeclared tool', HERMES.replace('get_weather', 'rm'), 'unknown-tool'],
    ['that was cut', HERMES.slice(0, -20), 'incomplete-call'],
    ['that cannot be read', HERMES.replace('"Rome"', '"a" = 1'), 'unreadable-call'],
  ])('%s comes out as text, and the report says why', async (_, text, code) => {
    const healed = await healAll(answering([say(text), stop]));
    expect(withoutReport(healed)).toEqual([say(text), stop]);
    expect(codes(reportOf(healed).issues)).toContain(code);
    expect(reportOf(healed).repairs).toEqual([]);
  });

  it('counts only if it is the one that was asked for', async () => {
    const asked = { ...request, conversation: { ...request.conversation, toolChoice: { name: 'now' } } };
    expect(withoutReport(await healAll(answering([say(HERMES), stop]), { reasks: 0 }, asked))).toEqual([
      say(HERMES),
      stop,
    ]);
  });

  it('of a tool that is declared but not allowed comes out as text', async () => {
    const extra = {
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'now' }] },
    };
    const asked = { ...request, conversation: { ...request.conversation, extra } };
    const healed = await healAll(answering([say(HERMES), stop]), {}, asked);
    expect(withoutReport(healed)).toEqual([say(HERMES), stop]);
    expect(codes(reportOf(healed).issues)).toEqual(['unknown-tool']);
  });

  it('that the user wrote is refused, or marked', async () => {
    const parts = [{ type: 'text' as const, text: `What does ${HERMES} mean?` }];
    const { conversation } = request;
    const asked = {
      ...request,
      conversation: { ...conversation, messages: [{ role: 'user' as const, parts }] },
    };
    const marked = await healAll(answering([say(HERMES), stop]), { echoes: 'mark' }, asked);
    expect(codes(reportOf(marked).issues)).toEqual(['suspected-echo']);
    expect(marked).toContainEqual({ type: 'call-end', id: 'call_1' });
    const refused = await healAll(answering([say(HERMES), stop]), {}, asked);
    expect(withoutReport(refused)).toEqual([say(HERMES), stop]);
    expect(codes(reportOf(refused).issues)).toEqual(['suspected-echo']);
  });

  it.each(['before', 'behind'])('that was sent natively as well, %s it, is one call', async (place) => {
    const call = native('c1', 'get_weather', '{ "city": "Rome" }');
    const events = place === 'before' ? [...call, say(HERMES)] : [say(HERMES), ...call];
    const healed = await healAll(answering([...events, { type: 'finish', reason: 'tool-calls' }]));
    expect(withoutReport(healed)).toEqual([...call, { type: 'finish', reason: 'tool-calls' }]);
    expect(codes(reportOf(healed).repairs)).toEqual(['leaked-copy']);
  });

  it('beside another native call is a second one', async () => {
    const call = native('call_1', 'get_weather', '{"city":"Oslo"}');
    const healed = await healAll(answering([...call, say(HERMES), { type: 'finish', reason: 'tool-calls' }]));
    expect(healed.filter(({ type }) => type === 'call-end')).toEqual([
      { type: 'call-end', id: 'call_1' },
      { type: 'call-end', id: 'call_2' },
    ]);
  });

  it('keeps the id the model gave it, if no other call has it', async () => {
    const text =
      '<tools>[{"name":"now","id":"n1","parameters":{}},{"name":"now","id":"n2","parameters":{"x":1}}]</tools>';
    const events = [...native('n1', 'get_weather', '{}'), say(text), stop];
    const healed = await healAll(answering(events), { watch: ['alkaid'] });
    const ids = healed.flatMap((event) => (event.type === 'call-end' ? [event.id] : []));
    expect(ids).toEqual(['n1', 'call_1', 'n2']);
  });

  it('gets an id even from a maker that makes only one', async () => {
    const healed = await healAll(answering([say(HERMES + HERMES.replace('Rome', 'Oslo')), stop]), {
      newId: () => 'x',
    });
    const ids = healed.flatMap((event) => (event.type === 'call-end' ? [event.id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it('is found in each of several answers, each for itself', async () => {
    const events = [
      say('<tool_call>\n{"name": "now", ', 0),
      say(HERMES, 1),
      say('"arguments": {}}\n</tool_call>', 0),
    ];
    const ends: AnswerEvent[] = [stop, { type: 'finish', reason: 'stop', choice: 1 }];
    const healed = await healAll(answering([...events, ...ends]));
    expect(healed).toContainEqual({ type: 'call-start', id: 'call_1', name: 'now' });
    expect(healed).toContainEqual({ type: 'call-start', id: 'call_2', name: 'get_weather', choice: 1 });
    expect(healed).toContainEqual({ type: 'finish', reason: 'tool-calls', choice: 1 });
  });

  it('in an upstream that leaks its reasoning too: tags become reasoning', async () => {
    const healed = await healAll(answering([say(`<think>\nHm.\n</think>\n\n${HERMES}`), stop]));
    expect(healed[0]).toEqual({ type: 'reasoning-delta', text: 'Hm.' });
    expect(healed[1]).toEqual({ type: 'call-start', id: 'call_1', name: 'get_weather' });
  });

  it('in a thought that closes without having opened is a thought', async () => {
    const call = '<tool_call>now</tool_call>';
    const text = `I could ${call}\nbut no.</think>It is noon.`;
    const healed = await healAll(answering([say(text), stop]), { watch: ['glm-4.7'] });
    expect(textOf(healed)).toBe(text);
    expect(healed).toContainEqual(stop);
  });

  it('is one of at most 128, wherever fences stand between them', async () => {
    const call = HERMES.replace(/\n/g, '');
    const text = `${`${call}\n`.repeat(100)}x\n\`\`\`\n\`\`\`\n`.repeat(2);
    const healed = await healAll(answering([say(text), stop]));
    expect(healed.filter(({ type }) => type === 'call-end')).toHaveLength(100);
    expect(codes(reportOf(healed).issues)).toContain('too-many-calls');
    expect(textOf(healed)).toContain(call);
  });

  it('gives way when more stands behind it than may be held', async () => {
    const rest = '\nword'.repeat(1000);
    const healed = await healAll(answering([say(HERMES), say(rest), stop]), { limits: { held: 500 } });
    expect(textOf(healed)).toBe(HERMES + rest);
    expect(codes(reportOf(healed).issues)).toContain('too-long');
  });
});

describe('text', () => {
  it('is held back by no more than a marker', async () => {
    const { signal } = new AbortController();
    const text = 'Some prose with < and > and `code` in it. '.repeat(5);
    let written = 0;
    const upstream: Upstream = {
      ...answering(),
      async *ask() {
        for (const character of text) {
          written++;
          yield say(character);
        }
        yield stop;
      },
    };
    let read = 0;
    let held = 0;
    for await (const event of heal(request, upstream, { signal })) {
      if (event.type === 'text-delta') read += event.text.length;
      held = Math.max(held, written - read);
    }
    expect(read).toBe(text.length);
    expect(held).toBeLessThanOrEqual(16);
  });

  it('flows inside and behind a quoted fence, however many calls it shows', async () => {
    const text = `Like so:\n\`\`\`\n${HERMES}\n\`\`\`\nand then more prose.`;
    const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
    const healed = await healAll(answering([...pieces.map((piece) => say(piece)), stop]));
    const deltas = healed.filter(({ type }) => type === 'text-delta');
    expect(deltas.length).toBeGreaterThan(pieces.length * 0.7);
  });

  it('costs no more than its length, whatever opens and never closes', async () => {
    const reads = async (count: number) => {
      let fed = 0;
      const onEvent = (event: BridgeEvent) => {
        if (event.type === 'parse') fed++;
      };
      const text = '!unquote_start\n```\n```\n'.repeat(count);
      const events = await healAll(answering([say(text), stop]), { watch: ['xnl'], onEvent });
      expect(textOf(events)).toBe(text);
      return fed;
    };
    const [some, twice] = [await reads(1000), await reads(2000)];
    expect(twice / some).toBeLessThan(2.5);
  });
});

describe('what is told while it happens', () => {
  it('is the request, the text and its reading', async () => {
    const told: BridgeEvent[] = [];
    const onEvent = (event: BridgeEvent) => void told.push(event);
    await healAll(answering([say('Hi.'), stop]), { onEvent });
    expect(told.map(({ type }) => type)).toEqual(['upstream-request', 'upstream-text', 'parse']);
  });
});

describe('usage', () => {
  it('is the upstream’s, or an estimate that says so', async () => {
    const usage = { inputTokens: 7, outputTokens: 3 };
    const told = await healAll(answering([say('Hi.'), stop, { type: 'usage', usage }]));
    expect(told).toContainEqual({ type: 'usage', usage });
    expect(told.at(-1)).toMatchObject({ report: { usage: 'upstream' } });
    const silent = await healAll(answering([say('Hello, you.'), stop]));
    expect(silent).toContainEqual({ type: 'usage', usage: expect.objectContaining({ estimated: true }) });
    expect(silent.at(-1)).toMatchObject({ report: { usage: 'estimated' } });
  });
});

describe('an upstream that refuses tools', () => {
  const refusal = new ApiError('upstream-refused', 'm does not support tools', { status: 400 });
  const emulated = [say(HERMES), stop];

  it.each([
    ['by throwing', refusal],
    ['in its stream', [{ type: 'answer-start' }, { type: 'error', error: refusal }] satisfies AnswerEvent[]],
  ])('%s is asked again in emulation, and the caller learns of it', async (_, answer) => {
    const told: BridgeEvent[] = [];
    const upstream = answering(answer, emulated);
    const events = await healAll(upstream, { onEvent: (event) => void told.push(event) });
    expect(upstream.asked).toHaveLength(2);
    expect(upstream.asked[1]?.conversation.tools).toEqual([]);
    expect(events.filter(({ type }) => type === 'answer-start').length).toBeLessThanOrEqual(1);
    expect(events.flatMap((event) => (event.type === 'call-start' ? [event.name] : []))).toEqual([
      'get_weather',
    ]);
    expect(reportOf(events)).toMatchObject({ mode: 'emulate', refused: 'm does not support tools' });
    expect(told).toContainEqual({ type: 'tools-refused', message: 'm does not support tools' });
  });

  it('is asked once more only', async () => {
    await expect(healAll(answering(refusal, refusal))).rejects.toBe(refusal);
  });

  it('is not asked again once something was said, or where no tools were sent', async () => {
    const late = answering([say('Hi.'), { type: 'error', error: refusal }], emulated);
    await expect(healAll(late)).rejects.toBe(refusal);
    expect(late.asked).toHaveLength(1);
    const bare = { ...request, conversation: { ...request.conversation, tools: [] } };
    await expect(healAll(answering(refusal, emulated), {}, bare)).rejects.toBe(refusal);
  });

  it('is told from one that fails otherwise', async () => {
    const other = new ApiError('upstream-failed', 'no connection');
    await expect(healAll(answering(other, emulated))).rejects.toBe(other);
  });

  it('is not blamed for a dialect that does not exist', async () => {
    await expect(healAll(answering([stop]), { watch: ['klingon'] })).rejects.toThrow('klingon');
  });
});

describe('a call without its special tokens', () => {
  const stripped = 'functions.get_weather:0{"city": "Rome"}';

  it.each([
    [stripped, ['stripped-markers']],
    [`Write:\n\`\`\`\n${stripped}\n\`\`\`\nas it is.`, []],
  ])('is reported, unless it is quoted: %j', async (text, codes) => {
    const events = await healAll(answering([say(text), stop]), { watch: ['kimi-k2'] });
    expect(events).toContainEqual(say(text));
    expect(reportOf(events).issues.map(({ code }) => code)).toEqual(codes);
  });
});
