// Native calls of endpoints that are subtly broken, as a client of each API gets them, whole and streamed. The endpoint
// is a stand-in that speaks Chat Completions.

import { describe, expect, it } from 'vitest';
import type { AnswerEvent, Report } from '../../model/index.js';
import { type ApiName, wireOf } from '../../wire/index.js';
import type { BridgeOptions } from '../options.js';
import { createResponder } from '../reply/respond.js';

interface NativeReply {
  content?: string;
  calls?: { id?: string; name: string; arguments: string }[];
  finish?: string;
}

const parameters = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    places: { type: 'array', items: { type: 'string' } },
  },
  required: ['city'],
};

const rome = { name: 'get_weather', arguments: '{"city": "Rome"}' };
const oneCall = (text: string, more: Partial<NativeReply> = {}): NativeReply => ({
  calls: [{ id: 'c1', name: 'get_weather', arguments: text }],
  ...more,
});

/** An endpoint that answers each request with the next of these replies; the last one is repeated. */
function endpoint(replies: readonly NativeReply[]) {
  // biome-ignore lint/suspicious/noExplicitAny: bodies as they were sent.
  const asked: any[] = [];
  const fetch = async (_: unknown, init: { body: string }) => {
    const reply = replies[Math.min(asked.length, replies.length - 1)] as NativeReply;
    const body = JSON.parse(init.body);
    asked.push(body);
    return body.stream ? streamed(reply) : whole(reply);
  };
  return { asked, fetch: fetch as never };
}

const callsOf = ({ calls = [] }: NativeReply) =>
  calls.map(({ id, name, arguments: text }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: text },
  }));

const finishOf = ({ finish, calls }: NativeReply) => finish ?? (calls ? 'tool_calls' : 'stop');

function whole(reply: NativeReply): Response {
  const message = { role: 'assistant', content: reply.content ?? null, tool_calls: callsOf(reply) };
  return Response.json({ choices: [{ index: 0, message, finish_reason: finishOf(reply) }] });
}

/** Arguments come in pieces of four characters. */
function streamed(reply: NativeReply): Response {
  const deltas: unknown[] = reply.content ? [{ content: reply.content }] : [];
  for (const { function: called, ...call } of callsOf(reply)) {
    deltas.push({ tool_calls: [{ ...call, function: { name: called.name, arguments: '' } }] });
    for (const text of called.arguments.match(/.{1,4}/gs) ?? [])
      deltas.push({ tool_calls: [{ index: call.index, function: { arguments: text } }] });
  }
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finishOf(reply) }] },
  ];
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  return new Response(`${text}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
}

const bodies: Record<string, { path: string; body: object }> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    body: {
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
    },
  },
  'anthropic-messages': {
    path: '/v1/messages',
    body: {
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [{ name: 'get_weather', input_schema: parameters }],
    },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: { input: 'Weather?', tools: [{ type: 'function', name: 'get_weather', parameters }] },
  },
};

interface Got {
  calls: { id: string; name: string; text: string; ended: boolean }[];
  text: string;
  finish: string | undefined;
  error: string | undefined;
  report: Report;
}

/** Asks over one API, and reads the answer as our own client of it would. */
async function ask(
  api: string,
  stream: boolean,
  replies: readonly NativeReply[],
  options: BridgeOptions = {},
): Promise<Got & { asked: ReturnType<typeof endpoint>['asked'] }> {
  const { fetch, asked } = endpoint(replies);
  const respond = createResponder({
    ...options,
    upstream: { url: 'http://up.invalid/v1', tools: true, fetch, stream },
  });
  const { path, body } = bodies[api] as { path: string; body: object };
  const sent = JSON.stringify({ ...body, model: 'm', stream });
  const response = await respond(new Request(`http://gate.invalid${path}`, { method: 'POST', body: sent }));
  const text = await response.text();
  const wire = wireOf(api as ApiName);
  const events = stream
    ? ((decoder) => [...decoder.feed(text), ...decoder.finish()])(wire.createStreamDecoder())
    : wire.decodeResponse(JSON.parse(text));
  return { ...gather(events), report: reportIn(text), asked };
}

function gather(events: AnswerEvent[]): Omit<Got, 'report'> {
  const got: Omit<Got, 'report'> = { calls: [], text: '', finish: undefined, error: undefined };
  for (const event of events) {
    const call = 'id' in event ? got.calls.find(({ id }) => id === event.id) : undefined;
    if (event.type === 'text-delta') got.text += event.text;
    else if (event.type === 'call-start')
      got.calls.push({ id: event.id, name: event.name, text: '', ended: false });
    else if (event.type === 'call-delta' && call) call.text += event.text;
    else if (event.type === 'call-end' && call) call.ended = true;
    else if (event.type === 'finish') got.finish = event.reason;
    else if (event.type === 'error') got.error = event.error.message;
  }
  return got;
}

/** The report stands in the member `dragoman`, of the body or of an event near the end. */
function reportIn(text: string): Report {
  const found = text.split('\n').flatMap((line) => {
    if (!line.includes('"dragoman":{')) return [];
    const json = JSON.parse(line.startsWith('data: ') ? line.slice(6) : line);
    return [json.dragoman ?? json.response?.dragoman];
  });
  return found.at(-1) as Report;
}

const codes = (notes: readonly { code: string }[]) => notes.map(({ code }) => code);
const ways = Object.keys(bodies).flatMap((api) => [false, true].map((stream) => ({ api, stream })));

describe.each(ways)('over $api, streamed: $stream,', ({ api, stream }) => {
  const asks = (replies: readonly NativeReply[], options?: BridgeOptions) =>
    ask(api, stream, replies, options);
  const whenWhole = (replies: readonly NativeReply[]) => asks(replies, { delivery: 'whole' });

  it('right arguments pass byte for byte', async () => {
    const text = ' {\n  "city" : "R\\u00f4me \\"x\\"\\/",\t"days":3, "places": [ "a" , "b"\n] } \n';
    const got = await asks([oneCall(text)]);
    // Messages carry whole input as an object: there only what it means is the same.
    const means = (one: string) => (api === 'anthropic-messages' && !stream ? JSON.parse(one) : one);
    expect(got.calls.map((call) => means(call.text))).toEqual([means(text)]);
    expect(got).toMatchObject({ calls: [{ name: 'get_weather', ended: true }], finish: 'tool-calls' });
    expect(got.report).toMatchObject({ mode: 'heal', issues: [], repairs: [], reasks: [] });
  });

  it('arguments that are no JSON are repaired', async () => {
    const got = await asks([oneCall("{'city': 'Paris',}")]);
    expect(got.calls.map(({ text, ended }) => [JSON.parse(text), ended])).toEqual([
      [{ city: 'Paris' }, true],
    ]);
    expect(got.finish).toBe('tool-calls');
    expect(codes(got.report.repairs)).toEqual(expect.arrayContaining(['single-quotes', 'trailing-comma']));
    expect(got.asked).toHaveLength(1);
  });

  it('arguments in a string are unwrapped', async () => {
    const got = await asks([oneCall(JSON.stringify('{"city": "Paris"}'))]);
    expect(got.calls.map(({ text }) => JSON.parse(text))).toEqual([{ city: 'Paris' }]);
    expect(codes(got.report.repairs)).toContain('arguments-as-string');
  });

  it('a string that is exactly a number or a list becomes it where the schema allows no string', async () => {
    const got = await asks([oneCall('{"city": "3", "days": "3", "places": "[\\"a\\"]"}')]);
    expect(got.calls.map(({ text }) => JSON.parse(text))).toEqual([{ city: '3', days: 3, places: ['a'] }]);
    expect(codes(got.report.repairs)).toEqual(['string-as-scalar', 'string-as-json']);
    expect(got.asked).toHaveLength(1);
  });

  it('arguments that break the schema are asked for again', async () => {
    const got = await whenWhole([oneCall('{"days": 3}'), { calls: [{ id: 'c2', ...rome }] }]);
    expect(got.calls.map(({ text }) => JSON.parse(text))).toEqual([{ city: 'Rome' }]);
    expect(got.report.reasks).toHaveLength(1);
    expect(got.report.issues).toEqual([]);
    const [call, result] = got.asked[1].messages.slice(-2);
    expect(JSON.parse(call.tool_calls[0].function.arguments)).toEqual({ days: 3 });
    expect(result).toMatchObject({ role: 'tool', tool_call_id: call.tool_calls[0].id });
    expect(result.content).toContain('city');
  });

  it('arguments that break the schema are delivered with the issue, when asking again does not help', async () => {
    const got = await whenWhole([oneCall('{"days": 3}')]);
    expect(got.asked).toHaveLength(3);
    expect(got.calls).toMatchObject([{ name: 'get_weather', ended: true }]);
    expect(codes(got.report.issues)).toEqual(['schema-mismatch']);
  });

  it('a tool that nobody declared is asked about, then told as an issue', async () => {
    const rm = { calls: [{ id: 'c1', name: 'rm_all', arguments: '{"path":"/"}' }] };
    const mended = await asks([rm, { calls: [{ id: 'c2', ...rome }] }]);
    expect(mended.calls.map(({ name }) => name)).toEqual(['get_weather']);
    expect(mended.asked[1].messages.at(-1).content).toContain('no tool named rm_all');
    const stubborn = await asks([rm]);
    expect(stubborn.calls).toEqual([]);
    expect(stubborn.text).toContain('rm_all({"path":"/"})');
    expect(stubborn).toMatchObject({ finish: 'stop' });
    expect(codes(stubborn.report.issues)).toEqual(['unknown-tool']);
  });

  it('members that are nearly named as in the schema are renamed where that is asked for', async () => {
    const reply = [oneCall('{"City_": "Rome", "dayz": 3}')];
    const got = await asks(reply, { nearKeys: true });
    expect(got.calls.map(({ text }) => JSON.parse(text))).toEqual([{ city: 'Rome', days: 3 }]);
    expect(codes(got.report.repairs)).toEqual(['near-key']);
    expect(got.report.issues).toEqual([]);
    expect(codes((await asks(reply, { reasks: 0 })).report.issues)).toContain('schema-mismatch');
  });

  it('an id that no client can take is replaced', async () => {
    const got = await asks([{ calls: [{ id: 'x'.repeat(100_000), ...rome }] }]);
    expect(got.calls).toMatchObject([{ name: 'get_weather', ended: true }]);
    expect(got.calls[0]?.id.length).toBeLessThan(64);
    expect(codes(got.report.issues)).toEqual(['bad-id']);
  });

  it('arguments that break off are not completed: asked again, or cut', async () => {
    const got = await whenWhole([oneCall('{"city": "Pa'), { calls: [{ id: 'c2', ...rome }] }]);
    expect(got.calls.map(({ text }) => JSON.parse(text))).toEqual([{ city: 'Rome' }]);
    const cut = await asks([oneCall('{"city": "Paris"}', { finish: 'length' })]);
    expect(cut.calls.filter(({ ended }) => ended)).toEqual([]);
    expect(cut.finish).toBe('length');
    expect(cut.asked).toHaveLength(1);
    expect(codes(cut.report.issues)).toEqual(['incomplete-call']);
  });

  it('a call that is already streamed and turns out unreadable ends the answer with an error', async () => {
    const got = await asks([oneCall('{"city": ]]]'), { calls: [{ id: 'c2', ...rome }] }]);
    if (stream)
      expect([got.error, got.finish]).toEqual([expect.stringContaining('could not be read'), undefined]);
    else expect(got.calls.map(({ text }) => JSON.parse(text))).toEqual([{ city: 'Rome' }]);
  });

  it('more calls than clients take are told, and not delivered', async () => {
    const many = Array.from({ length: 130 }, (_, at) => ({ id: `c${at}`, ...rome }));
    const got = await asks([{ calls: many }], { reasks: 0 });
    expect(got.calls.filter(({ ended }) => ended)).toHaveLength(128);
    expect(codes(got.report.issues)).toEqual(['too-many-calls']);
  });
});
