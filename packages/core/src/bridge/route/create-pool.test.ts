import { describe, expect, it } from 'vitest';
import {
  type AnswerEvent,
  ApiError,
  acceptConversation,
  acceptTools,
  type Report,
} from '../../model/index.js';
import type { BridgeEvent } from '../options.js';
import { collectAnswer } from '../reply/collect-answer.js';
import { createResponder } from '../reply/respond.js';
import {
  type ScriptedText,
  type ScriptedUpstream,
  scriptedUpstream,
} from '../upstream/scripted-upstream.fixture.js';
import { createPool, type PoolEndpoint, type PoolOptions } from './create-pool.js';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
};
const tools = acceptTools([{ name: 'get_weather', parameters }]);
const { messages } = acceptConversation({ messages: [{ role: 'user', content: 'Weather?' }] });
const conversation = { messages, tools, toolChoice: 'auto' as const };
const request = (stream: boolean) => ({ model: 'm', conversation, settings: {}, stream });

const callOf = (name: string, input: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${input}}\n</tool_call>`;
const right = callOf('get_weather', '{"city": "Rome"}');
const broken = {
  unreadable: callOf('get_weather', '{"city" "Rome" ='),
  unknown: callOf('rm_all', '{}'),
  'schema mismatch': callOf('get_weather', '{"days": "many"}'),
};
const down = { text: '', error: new ApiError('upstream-failed', 'refused') };

/** An endpoint with native calls. */
function native(name: string, input: string): PoolEndpoint['upstream'] {
  return {
    takes: 'messages',
    tools: true,
    media: false,
    async *ask(): AsyncGenerator<AnswerEvent> {
      yield { type: 'answer-start' };
      yield { type: 'call-start', id: 'c1', name };
      yield { type: 'call-delta', id: 'c1', text: input };
      yield { type: 'call-end', id: 'c1' };
      yield { type: 'finish', reason: 'tool-calls' };
    },
  };
}

type Replies = readonly (string | ScriptedText)[];

interface Pool {
  upstreams: ScriptedUpstream[];
  events: BridgeEvent[];
  ask(stream: boolean): Promise<{ report: Report; text: string; calls: string[]; usage: number }>;
}

function poolOf(replies: Replies[], options: Partial<PoolOptions> = {}): Pool {
  const upstreams = replies.map((one) => scriptedUpstream(one));
  const events: BridgeEvent[] = [];
  const endpoints = upstreams.map((upstream, at): PoolEndpoint => ({ name: 'abc'.charAt(at), upstream }));
  const ask = createPool({ upstreams: endpoints, dialect: 'hermes', reasks: 1, now: () => 0, ...options });
  return {
    upstreams,
    events,
    async ask(stream) {
      const { signal } = new AbortController();
      const answer = await collectAnswer(
        ask(request(stream), { signal, onEvent: (event) => events.push(event) }),
      );
      const parts = answer.choices[0]?.parts ?? [];
      return {
        report: answer.report as Report,
        text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
        calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])),
        usage: answer.usage.inputTokens,
      };
    },
  };
}

const asked = ({ upstreams }: Pool) => upstreams.map((one) => one.asked.length);

describe.each([false, true])('a request that is streamed: %s', (stream) => {
  it('goes to the first endpoint, and the report names it', async () => {
    const pool = poolOf([[right], [right]]);
    const { report, calls } = await pool.ask(stream);
    expect([calls, report.upstream, report.moved]).toEqual([['get_weather'], 'a', undefined]);
    expect(asked(pool)).toEqual([1, 0]);
    expect(pool.events.filter(({ type }) => type === 'endpoint')).toEqual([{ type: 'endpoint', name: 'a' }]);
  });

  it.each(Object.entries(broken))('moves once after its reasks: %s', async (_, text) => {
    const pool = poolOf([[text], [right]], { delivery: 'whole' });
    const { report, calls } = await pool.ask(stream);
    expect(calls).toEqual(['get_weather']);
    expect(report).toMatchObject({ upstream: 'b', issues: [], moved: [{ from: 'a' }] });
    expect(Object.values(report.moved?.[0]?.faults ?? {}).every((count) => count >= 2)).toBe(true);
    expect(asked(pool)).toEqual([2, 1]);
    expect(pool.events.filter(({ type }) => type === 'endpoint')).toEqual([
      { type: 'endpoint', name: 'a' },
      { type: 'endpoint', name: 'b', moved: report.moved?.[0] },
    ]);
  });

  it.each([
    ['no JSON', 'get_weather', 'Rome or Oslo'],
    ['unknown', 'rm_all', '{}'],
    ['schema mismatch', 'get_weather', '{"days":"many"}'],
  ])('moves once from a native endpoint after its reasks: %s', async (_, name, input) => {
    const upstreams = [
      { name: 'a', upstream: native(name, input) },
      { name: 'b', upstream: native('get_weather', '{"city":"Rome"}') },
    ];
    const { report, calls } = await poolOf([], { upstreams, delivery: 'whole' }).ask(stream);
    expect(calls).toEqual(['get_weather']);
    expect(report).toMatchObject({ mode: 'heal', upstream: 'b', issues: [], moved: [{ from: 'a' }] });
    expect(Object.values(report.moved?.[0]?.faults ?? {})).not.toEqual([]);
  });

  it('gets the last answer with its issue where all are broken, after one move', async () => {
    const pool = poolOf([[broken.unknown], [broken.unknown], [right]]);
    const { report, calls } = await pool.ask(stream);
    expect(report).toMatchObject({
      upstream: 'b',
      issues: [{ code: 'unknown-tool' }],
      moved: [{ from: 'a' }],
    });
    expect(calls).toEqual(['rm_all']);
    expect(asked(pool)).toEqual([2, 2, 0]);
  });

  it('gets the first answer where the next endpoint gives none', async () => {
    const pool = poolOf([[{ text: broken.unknown, usage: { inputTokens: 5, outputTokens: 1 } }], [down]]);
    const { report, calls, usage } = await pool.ask(stream);
    expect(calls).toEqual(['rm_all']);
    expect(report).toMatchObject({
      upstream: 'a',
      issues: [{ code: 'unknown-tool' }],
      moved: [{ from: 'a' }, { from: 'b', reason: 'refused' }],
    });
    expect(usage).toBe(10);
  });

  it('goes on from each endpoint that is down, which is then skipped', async () => {
    const pool = poolOf([[down], [down], [right]]);
    expect((await pool.ask(stream)).report).toMatchObject({
      upstream: 'c',
      moved: [
        { from: 'a', reason: 'refused' },
        { from: 'b', reason: 'refused' },
      ],
    });
    expect((await pool.ask(stream)).report.moved).toBe(undefined);
    expect(asked(pool)).toEqual([1, 1, 2]);
  });

  it('fails with the last error where no endpoint answers, and asks again with the next request', async () => {
    const pool = poolOf([[down], [{ text: '', error: new ApiError('overloaded', 'busy') }, right]]);
    await expect(pool.ask(stream)).rejects.toMatchObject({ code: 'overloaded', message: 'busy' });
    await expect(pool.ask(stream)).rejects.toMatchObject({ message: 'refused' });
    expect(asked(pool)).toEqual([2, 1]);
  });

  it('does not move for a fault of the client, but for a key, a quota or a model that is not there', async () => {
    const refused = (status: number) => ({
      text: '',
      error: new ApiError('upstream-refused', 'no', { status }),
    });
    const stays = poolOf([[refused(400)], [right]]);
    await expect(stays.ask(stream)).rejects.toMatchObject({ status: 400 });
    for (const status of [401, 402, 403, 404]) {
      const pool = poolOf([[refused(status)], [right]]);
      expect((await pool.ask(stream)).report.upstream).toBe('b');
      // It is not down: the next request asks it again.
      await pool.ask(stream);
      expect(asked(pool)).toEqual([2, 2]);
    }
  });

  it('sums the usage of all endpoints', async () => {
    const usage = { inputTokens: 7, outputTokens: 1 };
    const pool = poolOf([[{ text: broken.unknown, usage }], [{ text: right, usage }]]);
    expect((await pool.ask(stream)).usage).toBe(21);
  });

  it('uses the own options of each endpoint', async () => {
    const xnl = scriptedUpstream(['Hello.']);
    const endpoints = [
      { upstream: xnl, dialect: 'glm-4.5' },
      { upstream: scriptedUpstream([right]), dialect: 'hermes' },
    ];
    const { report } = await poolOf([], { upstreams: endpoints }).ask(stream);
    expect(report).toMatchObject({ dialect: 'glm-4.5', upstream: 'upstream-1' });
  });
});

describe('a streamed answer', () => {
  it('is delivered as it is written, and stays where it began', async () => {
    const text = `Let me see. ${broken.unknown}`;
    const pool = poolOf([[text], [right]], { reasks: 0 });
    const { report, text: said, calls } = await pool.ask(true);
    expect([said, calls]).toEqual(['Let me see. ', ['rm_all']]);
    expect(report).toMatchObject({ upstream: 'a', issues: [{ code: 'unknown-tool' }] });
    expect(asked(pool)).toEqual([1, 0]);
  });

  it('gives its first content before the endpoint has written the rest', async () => {
    let wrote = 0;
    const slow: PoolEndpoint['upstream'] = {
      takes: 'messages',
      tools: false,
      media: false,
      async *ask(): AsyncGenerator<AnswerEvent> {
        yield { type: 'answer-start' };
        for (const text of ['Hello ', 'there ', 'you.']) {
          wrote++;
          yield { type: 'text-delta', text };
        }
        yield { type: 'finish', reason: 'stop' };
      },
    };
    const ask = createPool({ upstreams: [{ upstream: slow }, { upstream: slow }], dialect: 'hermes' });
    const { signal } = new AbortController();
    for await (const event of ask(request(true), { signal })) {
      if (event.type !== 'text-delta') continue;
      expect(wrote).toBe(1);
      break;
    }
  });

  it('that breaks off after its first content is an error, not a second answer', async () => {
    const pool = poolOf([
      [{ text: 'Hello there, you.', error: new ApiError('upstream-broken', 'gone') }],
      [right],
    ]);
    await expect(pool.ask(true)).rejects.toMatchObject({ code: 'upstream-broken' });
    expect(asked(pool)).toEqual([1, 0]);
    expect((await pool.ask(true)).report.upstream).toBe('b');
  });
});

it('an aborted request moves nowhere, and is no failure of its endpoint', async () => {
  const pool = createPool({
    upstreams: [{ upstream: scriptedUpstream([right]) }, { upstream: scriptedUpstream([right]) }],
    dialect: 'hermes',
  });
  const read = async (signal: AbortSignal) => collectAnswer(pool(request(false), { signal }));
  await expect(read(AbortSignal.abort(new ApiError('overloaded', 'stop')))).rejects.toThrow('stop');
  const { report } = await read(new AbortController().signal);
  expect(report?.upstream).toBe('upstream-1');
});

it('names endpoints by their host, without secrets, and all differently', async () => {
  const upstream = {
    url: 'https://user:secret@models.example:8443/v1?key=secret',
    tools: false,
    fetch: async () => new Response(JSON.stringify({ choices: [{ message: { content: 'Hi' } }] })),
  };
  const ask = createPool({ upstreams: [{ upstream }, { upstream }], dialect: 'hermes', route: 'error-rate' });
  const names: (string | undefined)[] = [];
  for (let n = 0; n < 2; n++) {
    const answer = await collectAnswer(ask(request(false), { signal: new AbortController().signal }));
    names.push(answer.report?.upstream);
  }
  expect(names).toEqual(['models.example:8443', 'models.example:8443-2']);
});

it('a responder serves several upstreams, and its header tells which answered', async () => {
  const upstreams = [scriptedUpstream([down]), scriptedUpstream([right])].map((upstream, at) => ({
    name: `node ${at}`,
    upstream,
  }));
  const respond = createResponder({ upstreams, dialect: 'hermes', route: 'order' });
  const post = (stream: boolean) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream };
    return respond(
      new Request('http://test.invalid/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) }),
    );
  };
  const whole = await post(false);
  expect(whole.headers.get('x-dragoman')).toContain('; upstream=node 1; moved=1');
  expect(await whole.json()).toMatchObject({ dragoman: { upstream: 'node 1', moved: [{ from: 'node 0' }] } });
  const streamed = await post(true);
  expect(streamed.headers.get('x-dragoman')).toBe('mode=emulate; dialect=hermes; from=name');
  expect(await streamed.text()).toContain('"upstream":"node 1"');
});
