// A new API is one folder and one line: here a toy one, which takes part in everything as a value in a list.

import { createResponder, createUpstream, newId, type Responder } from '@dragoman/core/bridge';
import { dragoman } from '@dragoman/core/fetch';
import { apiNames, wires } from '@dragoman/core/wire';
import { type App, configFromFlags, createApp, createResponses, type GatewayConfig } from '@dragoman/gateway';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chatCommand } from '../packages/cli/src/commands/chat.js';
import { serveCommand } from '../packages/cli/src/commands/serve.js';
import { scriptedUpstream } from '../packages/core/src/bridge/upstream/scripted-upstream.fixture.js';
import { configJsonSchema } from '../packages/gateway/src/config/json-schema.js';
import { toyApi } from './toy-api/index.js';

const withToy = [...wires, toyApi];

const callText = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing"}}\n</tool_call>';
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const question = {
  model: 'm',
  lines: [{ role: 'user', content: 'Weather in Beijing?' }],
  tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
};

/** A model that only writes text, served by the toy API alone; and the requests it was sent. */
function textModel(): { fetch: (url: string, init: RequestInit) => Promise<Response>; sent: Request[] } {
  const sent: Request[] = [];
  const respond = createResponder({
    upstream: scriptedUpstream([callText]),
    mode: 'native',
    wires: [toyApi],
    report: false,
  });
  const fetch = (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    sent.push(request.clone());
    return respond(request);
  };
  return { fetch, sent };
}

function post(path: string, body: object, headers: Record<string, string> = {}): Request {
  const host = '127.0.0.1:8787';
  return new Request(`http://${host}${path}`, {
    method: 'POST',
    headers: { host, ...headers },
    body: JSON.stringify(body),
  });
}

type Lines = Record<string, unknown>[];

const linesOf = async (response: Response): Promise<Lines> =>
  (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** That the toy API answers with the call of the model, whole and streamed. */
async function expectCall(ask: Responder, path: string, headers?: Record<string, string>): Promise<void> {
  const whole = await ask(post(path, question, headers));
  expect(whole.headers.get('content-type')).toBe('application/json');
  expect(await whole.json()).toMatchObject({
    calls: [{ id: expect.stringMatching(/^toy_call_/), name: 'get_weather', input: { city: 'Beijing' } }],
    over: 'tool-calls',
    answer: expect.stringMatching(/^toy_/),
  });
  const streamed = await ask(post(path, { ...question, stream: true }, headers));
  expect(streamed.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const lines = await linesOf(streamed);
  expect(lines[0]).toMatchObject({ begin: expect.stringMatching(/^toy_call_/), tool: 'get_weather' });
  expect(lines.map(({ more = '' }) => more).join('')).toBe('{"city":"Beijing"}');
  expect(lines.at(-1)).toMatchObject({ over: 'tool-calls', answer: expect.stringMatching(/^toy_/) });
}

describe('a new API', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is answered by the responder, with its own ids, stream and errors', async () => {
    const ask = createResponder({
      upstream: scriptedUpstream([callText]),
      dialect: 'hermes',
      wires: withToy,
    });
    await expectCall(ask, '/v1/toy');
    const wrong = await ask(post('/v1/toy', { model: 'm' }));
    expect([wrong.status, await wrong.json()]).toEqual([418, { wrong: 'lines: expected a list' }]);
    const threaded = await ask(post('/v1/toy', { ...question, thread: 'th_1' }));
    expect(await threaded.json()).toEqual({
      wrong: 'thread: nothing is kept here between requests; send the whole conversation',
    });
    const size = await ask(post('/v1/toy/size', question));
    expect(await size.json()).toEqual({ size: expect.any(Number) });
    const nowhere = await ask(post('/v1/nowhere', question));
    expect(await nowhere.text()).toContain('/v1/messages/count_tokens, /v1/toy, /v1/toy/size.');
  });

  it('reaches an upstream at its path, with its key and its version', async () => {
    const model = textModel();
    const upstream = createUpstream({
      url: 'http://model.test/v1',
      api: toyApi,
      key: 'secret',
      tools: false,
      fetch: model.fetch,
    });
    const ask = createResponder({ upstream, dialect: 'hermes', wires: withToy });
    await expectCall(ask, '/v1/toy');
    const [first] = model.sent;
    expect(first?.url).toBe('http://model.test/v1/toy');
    expect(first?.headers.get('toy-key')).toBe('secret');
    expect(first?.headers.get('toy-version')).toBe('1');
    expect(first?.headers.get('accept')).toBe('application/x-ndjson');
  });

  it('reaches an upstream that does not stream', async () => {
    const model = textModel();
    const options = { url: 'http://model.test/v1', api: toyApi, tools: false, stream: false };
    const upstream = createUpstream({ ...options, fetch: model.fetch });
    await expectCall(createResponder({ upstream, dialect: 'hermes', wires: withToy }), '/v1/toy');
    expect(await model.sent[0]?.json()).toMatchObject({ stream: false });
  });

  it('is translated to the others, and they to it', async () => {
    const model = textModel();
    const upstream = { url: 'http://model.test/v1', api: toyApi, tools: false, fetch: model.fetch };
    const ask = createResponder({ upstream, dialect: 'hermes', wires: withToy });
    const { lines: messages, ...rest } = question;
    const answer = await ask(post('/v1/chat/completions', { ...rest, messages }));
    expect(await answer.json()).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: expect.stringMatching(/^call_/) }] } }],
    });
  });

  it('is taken by the fetch adapter to where the client points, with the client’s key', async () => {
    const model = textModel();
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => model.fetch(String(input), init ?? {}));
    const fetch = dragoman({ dialect: 'hermes', mode: 'emulate', wires: withToy });
    const key = newId('key-');
    await expectCall(fetch, '/v1/toy', { 'toy-key': key, 'toy-team': 'red' });
    expect(model.sent[0]?.url).toBe('http://127.0.0.1:8787/v1/toy');
    expect(model.sent[0]?.headers.get('toy-key')).toBe(key);
    expect(model.sent[0]?.headers.get('toy-team')).toBe('red');
  });

  it('is served by the gateway, and asked of its upstream', async () => {
    const model = textModel();
    const seen: string[] = [];
    const app = appWith(model.fetch, seen);
    await expectCall((request) => app.fetch(request), '/v1/toy', { 'toy-key': 'a-key-of-ours' });
    await expectCall((request) => app.fetch(request), '/toy', { authorization: 'Bearer a-key-of-ours' });
    expect(model.sent.map(({ url }) => url)).toEqual(Array(4).fill('http://model.test/v1/toy'));
    expect(model.sent[0]?.headers.get('toy-key')).toBe('key-of-the-model');
    expect(new Set(seen)).toEqual(new Set(['toy']));
    const refused = await app.fetch(post('/v1/toy', question));
    expect([refused.status, await refused.json()]).toEqual([
      418,
      { wrong: 'This gateway needs an API key, as bearer token or x-api-key or toy-key; none was sent.' },
    ]);
  });
});

function appWith(fetch: ReturnType<typeof textModel>['fetch'], seen: string[]): App {
  const flags = { upstream: 'http://model.test/v1', upstreamKey: 'key-of-the-model', dialect: 'hermes' };
  const read = configFromFlags({ ...flags, key: ['a-key-of-ours'] }, {});
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const upstreams = new Map(
    [...read.config.upstreams].map(([name, upstream]) => [name, { ...upstream, api: toyApi.name }]),
  );
  const config: GatewayConfig = { ...read.config, upstreams };
  const quiet = () => undefined;
  return createApp(config, {
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    watcher: { begin: ({ api }) => void seen.push(api) },
    limiter: { take: async () => ({ ok: true }) },
    responses: createResponses(undefined, 0),
    wires: withToy,
    transport: () => ({ fetch }),
  });
}

describe('the list of APIs', () => {
  it('is what the configuration takes, and what the command completes', () => {
    const enums = JSON.stringify(configJsonSchema());
    expect(enums).toContain(JSON.stringify(apiNames));
    for (const { completes } of [chatCommand, serveCommand]) {
      expect(completes).toMatchObject({ api: apiNames });
    }
  });
});
