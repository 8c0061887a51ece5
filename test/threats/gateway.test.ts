// What comes from clients, pages and upstreams against the gateway: the rows of the threats called Gateway, over
// real sockets.

import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { configFromFlags, serve } from '@dragoman/gateway';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { close, listen, startTextModel, type TextModel } from '../scripted/text-model.js';
import {
  configOf,
  eventsIn,
  eventsOf,
  type RunningGateway,
  rawRequest,
  type Settings,
  startFlood,
  startGateway,
  until,
  Wire,
} from './running-gateway.js';
import { type Api, apiNames, apis, call } from './three-apis.js';

const MB = 1024 * 1024;

let model: TextModel;
/** Where nobody may ever be asked. */
let elsewhere: TextModel;
const running: RunningGateway[] = [];
beforeAll(async () => {
  [model, elsewhere] = await Promise.all([startTextModel(), startTextModel()]);
});
afterAll(() => Promise.all([model.close(), elsewhere.close()]));
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

async function start(settings: Settings = {}, url = model.url): Promise<RunningGateway> {
  const gateway = await startGateway(url, settings);
  running.push(gateway);
  return gateway;
}

describe('G1, G2: who is asked', () => {
  it.each(apiNames)('only the configured upstream, whatever a request over %s says', async (api) => {
    const gateway = await start();
    model.script(...Array(8).fill('Hello.'));
    const { origin, host } = new URL(elsewhere.url);
    const named = {
      api_base: elsewhere.url,
      base_url: elsewhere.url,
      url: elsewhere.url,
      upstream: elsewhere.url,
    };
    const bodies = [
      named,
      { metadata: { api_base: elsewhere.url } },
      { extra_body: named },
      { model: elsewhere.url },
    ];
    for (const more of bodies) await (await gateway.ask(api, more)).text();
    const headers = {
      'x-forwarded-host': host,
      'x-base-url': elsewhere.url,
      forwarded: `host=${host}`,
      'x-original-url': `${origin}/v1/chat/completions`,
    };
    await (await gateway.ask(api, {}, { headers })).text();
    const body = JSON.stringify(apis[api].body);
    const query = `?api_base=${encodeURIComponent(elsewhere.url)}`;
    await rawRequest(`${gateway.url}${apis[api].path}${query}`, { method: 'POST', body });
    expect(elsewhere.requests).toHaveLength(0);
    expect(model.requests).toHaveLength(6);
    for (const { path, body } of model.requests) {
      expect(path).toBe('/v1/chat/completions');
      const { model: asked, ...rest } = body;
      expect([asked, JSON.stringify(rest)].slice(asked === elsewhere.url ? 1 : 0).join()).not.toContain(host);
    }
  });

  it('never the place that an upstream points to', async () => {
    const gateway = await start();
    const location = `${elsewhere.url}/chat/completions`;
    for (const stream of [true, false]) {
      model.script({ fault: { type: 'redirect', location } }, { fault: { type: 'redirect', location } });
      const response = await gateway.ask('chat', { stream });
      expect(response.status).toBe(502);
      expect(await response.text()).not.toContain(location);
      expect(model.requests).toHaveLength(1);
    }
    expect(elsewhere.requests).toHaveLength(0);
    expect(await gateway.settled()).toBe(2);
  });
});

describe('G3: keys', () => {
  const client = 'canary-client-5b1f9c7e21';
  const stranger = 'canary-stranger-77aa01c9';
  const upstreamKey = 'canary-upstream-90d2ee41';
  const header = 'canary-header-1182ab55';

  it('stand in no log line, error, metric, inspector record or body', async () => {
    const gateway = await start({
      flags: { key: client, upstreamKey },
      upstream: { headers: { 'x-team': header } },
    });
    const seen: string[] = [];
    const keep = async (response: Response) => {
      seen.push(JSON.stringify([...response.headers]), await response.text());
    };
    const echo = `You sent Bearer ${upstreamKey}, ${header} and ${client}.`;
    const status = {
      type: 'status' as const,
      status: 401,
      body: JSON.stringify({ error: { message: echo } }),
    };
    for (const api of apiNames) {
      for (const stream of [true, false]) {
        model.script({ fault: status });
        await keep(await gateway.ask(api, { stream }));
        model.script({ fault: { ...status, status: 500 } }, { fault: { ...status, status: 500 } });
        await keep(await gateway.ask(api, { stream }));
        model.script({ text: 'x', fault: { type: 'error-event', after: 1, message: echo } });
        await keep(await gateway.ask(api, { stream }));
        await keep(await gateway.ask(api, { stream, n: -1, messages: 'no' }));
        await keep(await gateway.ask(api, {}, { headers: { authorization: `Bearer ${stranger}` } }));
        await keep(await gateway.ask(api, {}, { headers: { 'x-api-key': stranger } }));
        await keep(await gateway.ask(api, {}, { headers: { 'x-api-key': client }, body: '{"model"' }));
      }
    }
    const headers = { authorization: `Bearer ${client}` };
    for (const path of ['/metrics', '/inspector/exchanges', '/v1/models', '/nothing']) {
      await keep(await fetch(gateway.url + path, { headers }));
    }
    for (const { id } of gateway.gateway.app.open === 0 ? await exchangesOf(gateway, headers) : []) {
      await keep(await fetch(`${gateway.url}/inspector/exchanges/${id}`, { headers }));
    }
    const shown = [...seen, ...gateway.lines].join('\n');
    expect(gateway.lines.length).toBeGreaterThan(30);
    expect(shown.split('\n').filter((line) => line.includes('canary-'))).toEqual([]);
  });

  async function exchangesOf(
    gateway: RunningGateway,
    headers: Record<string, string>,
  ): Promise<{ id: string }[]> {
    const response = await fetch(`${gateway.url}/inspector/exchanges`, { headers });
    const { exchanges } = (await response.json()) as { exchanges: { id: string }[] };
    expect(exchanges.length).toBeGreaterThan(10);
    return exchanges;
  }

  it('stand in no error about an upstream that cannot be reached', async () => {
    const server = createServer();
    const port = await listen(server);
    await close(server);
    const gateway = await start({ flags: { upstreamKey } }, `http://127.0.0.1:${port}/v1`);
    const response = await gateway.ask('chat', {}, { headers: { 'x-api-key': client } });
    expect(response.status).toBe(502);
    expect((await response.text()) + gateway.lines.join('')).not.toContain('canary-');
  });
});

describe('G4: what goes upstream', () => {
  const sent = {
    authorization: 'Bearer key-of-the-client',
    'x-api-key': 'key-of-the-client-2',
    cookie: 'session=key-of-the-client-3',
    'proxy-authorization': 'Basic a2V5LW9mLXRoZS1jbGllbnQ=',
    te: 'trailers',
    connection: 'close, x-private',
    'x-private': 'key-of-the-client-4',
    'x-forwarded-for': '10.1.2.3',
    'openai-organization': 'org-of-the-client',
  };
  const ask = (gateway: RunningGateway, headers: Record<string, string>) =>
    rawRequest(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(apis.chat.body),
    });

  it('is the key of the upstream and nothing of what the client sent', async () => {
    const gateway = await start({ flags: { upstreamKey: 'key-of-the-upstream' } });
    model.script('Hello.');
    expect((await ask(gateway, sent)).status).toBe(200);
    const headers = model.requests[0]?.headers;
    expect(headers?.authorization).toBe('Bearer key-of-the-upstream');
    expect(JSON.stringify(headers)).not.toMatch(/of-the-client|a2V5|10\.1\.2\.3|trailers/);
  });

  it('is no key at all where none is configured', async () => {
    const gateway = await start();
    model.script('Hello.');
    expect((await ask(gateway, sent)).status).toBe(200);
    expect(model.requests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(model.requests[0]?.headers)).not.toMatch(/of-the-client|a2V5/);
  });

  it("is the client's own key where passKey says so, to each its own", async () => {
    const gateway = await start({ upstream: { passKey: true } });
    const keys = ['first-key-of-a-client', 'second-key-of-a-client', 'first-key-of-a-client'];
    model.script('Hello.', 'Hello.', 'Hello.', 'Hello.');
    for (const key of keys) {
      expect((await ask(gateway, { authorization: `Bearer ${key}`, cookie: 'a=b' })).status).toBe(200);
    }
    expect((await ask(gateway, {})).status).toBe(200);
    const shown = model.requests.map(({ headers }) => headers.authorization);
    expect(shown).toEqual([...keys.map((key) => `Bearer ${key}`), undefined]);
    expect(model.requests[0]?.headers.cookie).toBeUndefined();
    expect(gateway.lines.join('')).not.toContain('key-of-a-client');
  });
});

describe('G6: a host that is not ours', () => {
  const foreign = [
    'evil.example',
    'evil.example:8787',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '169.254.1.1',
  ];

  it.each([undefined, 'a-key-of-ours-1'])('gets 403 before anything else (key: %s)', async (key) => {
    const gateway = await start({ flags: { key } });
    model.script('Hello.');
    for (const host of foreign) {
      for (const path of [
        '/healthz',
        '/readyz',
        '/v1/models',
        '/metrics',
        '/nothing',
        '/inspector/exchanges',
      ]) {
        const { status, text } = await rawRequest(gateway.url + path, { headers: { host } });
        expect([host, path, status]).toEqual([host, path, 403]);
        expect(text).toContain('hosts');
      }
      const headers = { host, ...(key && { authorization: `Bearer ${key}` }) };
      const body = JSON.stringify(apis.chat.body);
      const asked = await rawRequest(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
      expect(asked.status).toBe(403);
    }
    expect(model.requests).toHaveLength(0);
    expect(gateway.lines).toEqual([]);
  });

  it('is let in by loopback names and by names that are listed', async () => {
    const gateway = await start({ config: { hosts: ['gate.example'] } });
    for (const host of [
      'localhost',
      'LOCALHOST:1',
      '127.0.0.1',
      '[::1]:8787',
      'gate.example',
      'Gate.Example:80',
    ]) {
      expect((await rawRequest(`${gateway.url}/healthz`, { headers: { host } })).status).toBe(200);
    }
  });
});

describe('G7: pages', () => {
  const page = 'https://page.example';
  const ask = (gateway: RunningGateway, origin: string, method: string, more: Record<string, string> = {}) =>
    rawRequest(`${gateway.url}/v1/chat/completions`, {
      method,
      headers: { origin, ...more },
      ...(method === 'POST' && { body: JSON.stringify(apis.chat.body) }),
    });
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-stainless-os',
  };
  const corsHeaders = (headers: object) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'));

  it('may not ask by default, and nothing is asked for them', async () => {
    const gateway = await start();
    model.script('Hello.');
    for (const origin of [page, 'null', 'http://localhost:3000', gateway.url.replace('http', 'ftp')]) {
      const asked = await ask(gateway, origin, 'POST', { 'content-type': 'text/plain' });
      expect(asked.status).toBe(403);
      expect(corsHeaders(asked.headers)).toEqual([]);
      const before = await ask(gateway, origin, 'OPTIONS', preflight);
      expect(before.status).toBe(403);
      expect(corsHeaders(before.headers)).toEqual([]);
    }
    expect(model.requests).toHaveLength(0);
  });

  it('may ask where they are listed, without a key to find that out, and never with credentials', async () => {
    const gateway = await start({ flags: { key: 'a-key-of-ours-2' }, config: { origins: [page] } });
    const before = await ask(gateway, page, 'OPTIONS', preflight);
    expect(before.status).toBe(204);
    expect(before.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-headers': preflight['access-control-request-headers'],
    });
    expect(before.headers['access-control-allow-methods']).toContain('POST');
    model.script('Hello.');
    const asked = await ask(gateway, page, 'POST', { authorization: 'Bearer a-key-of-ours-2' });
    expect(asked.status).toBe(200);
    expect(asked.headers['access-control-allow-origin']).toBe(page);
    const refused = await ask(gateway, page, 'POST');
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(page);
    for (const { headers } of [before, asked, refused]) {
      expect(headers.vary).toContain('origin');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers['access-control-allow-origin']).not.toBe('*');
    }
    expect((await ask(gateway, 'https://other.example', 'OPTIONS', preflight)).status).toBe(403);
  });

  it('that the gateway itself served may ask', async () => {
    const gateway = await start();
    model.script('Hello.');
    expect((await ask(gateway, gateway.url, 'POST')).status).toBe(200);
  });
});

describe('G8: an open address', () => {
  it('is refused without keys, unless told', () => {
    const result = (flags: object) => configFromFlags({ demo: true, ...flags }, {}).ok;
    expect(result({ host: '0.0.0.0' })).toBe(false);
    expect(result({ host: '::' })).toBe(false);
    expect(result({ host: '192.168.1.5' })).toBe(false);
    expect(result({ host: '0.0.0.0', key: 'a-key-of-ours-3' })).toBe(true);
    expect(result({ host: '0.0.0.0', insecure: true })).toBe(true);
    expect(result({ host: '127.0.0.1' })).toBe(true);
  });

  it('is what a gateway listens on by default: loopback alone', async () => {
    const gateway = await serve(configOf(model.url), { write: () => {} });
    expect(gateway.url).toContain('127.0.0.1');
    await gateway.close();
  });
});

describe('G9-G13: too much of something', () => {
  it('headers: 431', async () => {
    const gateway = await start({ limits: { headerBytes: 2048 } });
    const headers = { 'x-long': 'x'.repeat(4096) };
    expect((await rawRequest(`${gateway.url}/healthz`, { headers })).status).toBe(431);
    expect((await rawRequest(`${gateway.url}/healthz`)).status).toBe(200);
  });

  it.each(['with its length', 'in chunks'])('a body %s: 413, and the place is free again', async (how) => {
    const gateway = await start({ limits: { bodyBytes: 2048, requests: 1 } });
    model.script('Hello.');
    const body = JSON.stringify({ ...apis.chat.body, more: 'x'.repeat(2_000_000) });
    const chunks = new ReadableStream({
      start(controller) {
        for (let at = 0; at < body.length; at += 50_000) {
          controller.enqueue(new TextEncoder().encode(body.slice(at, at + 50_000)));
        }
        controller.close();
      },
    });
    const sent = how === 'in chunks' ? { body: chunks, duplex: 'half' } : { body };
    const response = await gateway.ask('chat', {}, sent as RequestInit);
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('2048 bytes');
    expect((await gateway.ask('chat')).status).toBe(200);
    expect(await gateway.settled()).toBe(2);
    expect(model.requests).toHaveLength(1);
  });

  it('choices: 400 that names the field', async () => {
    const gateway = await start({ limits: { choices: 2 } });
    model.script('Hello.', 'Hello.');
    const refused = await gateway.ask('chat', { n: 3 });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { param: 'n' } });
    expect((await gateway.ask('chat', { n: 2 })).status).toBe(200);
    expect(model.requests).toHaveLength(2);
  });

  it('a line of an upstream that never ends: an error, and the upstream is left', async () => {
    const begun = 'data: {"choices":[{"delta":{"content":"';
    const flood = await startFlood(512 * MB, { start: begun, piece: 'x'.repeat(MB) });
    const gateway = await start({}, flood.url);
    const events = await eventsOf(await gateway.ask('chat', { stream: true }));
    expect(JSON.stringify(events)).toContain('too long');
    await until(() => flood.left, 'the upstream was not left');
    expect(flood.produced).toBeLessThan(128 * MB);
    await gateway.settled();
    await flood.close();
  });

  it.each(['headers', 'a body'])('time for %s: 408, and the place is free again', async (what) => {
    const gateway = await start({ limits: { requestTimeout: 200, requests: 1 } });
    const wire = await Wire.open(gateway.port);
    const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 500\r\n';
    wire.socket.write(what === 'headers' ? head : `${head}\r\n{"model":`);
    await until(() => wire.closed, 'the connection is still open');
    expect(wire.received).toContain('408');
    model.script('Hello.');
    expect((await gateway.ask('chat')).status).toBe(200);
    await gateway.settled();
  });

  it('time without reading: let go, the upstream left, and the place is free again', async () => {
    const flood = await startFlood(512 * MB);
    const gateway = await start({ limits: { readTimeout: 200, requests: 1 } }, flood.url);
    const wire = await Wire.open(gateway.port);
    wire.socket.pause();
    wire.post('chat', { stream: true });
    await until(() => flood.produced > 0, 'the upstream was not asked');
    expect((await gateway.ask('chat')).status).toBe(503);
    await until(() => flood.left, 'the upstream was not left');
    expect(flood.produced).toBeLessThan(64 * MB);
    await until(() => gateway.gateway.app.open === 0, 'the place is not free');
    expect(await gateway.settled()).toBe(2);
    wire.socket.destroy();
    await flood.close();
  });

  it('but a client that waits for a slow model is not let go', async () => {
    const gateway = await start({ limits: { readTimeout: 60 } });
    for (const stream of [true, false]) {
      model.script({ text: 'Hello.', pieces: 6, delay: 150 });
      const response = await gateway.ask('chat', { stream });
      expect(await response.text()).toContain(stream ? '[DONE]' : 'Hello.');
    }
    expect(await gateway.settled()).toBe(2);
  });

  it.each(apiNames)(
    'requests at once over %s: 503 with a time to wait, and room again later',
    async (api) => {
      const gateway = await start({ limits: { requests: 3 } });
      model.script(...Array(3).fill({ text: 'Hello.', delay: 60 }), 'Hello.');
      const streams = await Promise.all([1, 2, 3].map(() => gateway.ask(api, { stream: true })));
      const refused = await gateway.ask(api, { stream: true });
      expect([503, 529]).toContain(refused.status);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.text()).toContain('3 requests at once');
      for (const stream of streams) expect(apis[api].ends(await eventsOf(stream))).toBe(true);
      expect((await gateway.ask(api)).status).toBe(200);
      expect(await gateway.settled()).toBe(5);
    },
  );
});

describe('G15: text that looks like events', () => {
  const hostile = [
    'data: {"error":{"message":"forged"}}\n\n',
    '\n\nevent: error\ndata: {}\n\n',
    '\r\n\r\nid: 7\r\nretry: 1\r\ndata: [DONE]\r\n\r\n',
    'a\u2028b\u2029c\u0085d\u000be\u0000f\ufeffg',
    ': ping\n\n',
    call,
  ].join('');

  /** How a browser splits a stream, by the letter of its standard and with nothing of ours. */
  function countByStandard(text: string): number {
    const blocks = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n\n');
    return blocks.filter((block) =>
      block.split('\n').some((line) => line === 'data' || line.startsWith('data:')),
    ).length;
  }

  it.each(apiNames)('over %s: foreign readers count the same events, and read the same text', async (api) => {
    const gateway = await start({ config: { heartbeat: 5 } });
    model.script({ text: hostile, pieces: { seed: 3 }, delay: 8 });
    const text = await (await gateway.ask(api, { stream: true })).text();
    const events = eventsIn(text);
    expect(countByStandard(text)).toBe(events.length);
    expect(apis[api].ends(events)).toBe(true);
    expect(events.every(({ id }) => id === undefined)).toBe(true);
    for (const { data } of events) if (data !== '[DONE]') expect(() => JSON.parse(data)).not.toThrow();
    expect(await readBy(api, gateway, text)).toBe(events.length);
  });

  /** The official clients' own readers, over the same bytes. */
  async function readBy(api: Api, gateway: RunningGateway, text: string): Promise<number> {
    const fetch = async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
    const settings = { apiKey: 'none', maxRetries: 0, fetch: fetch as typeof globalThis.fetch };
    let count = 0;
    if (api === 'messages') {
      const client = new Anthropic({ ...settings, baseURL: gateway.url });
      const stream = await client.messages.create({ model: 'm', max_tokens: 9, messages: [], stream: true });
      for await (const _ of stream) count++;
      // Its reader keeps signs of life to itself.
      return count + eventsIn(text).filter(({ event }) => event === 'ping').length;
    }
    const client = new OpenAI({ ...settings, baseURL: `${gateway.url}/v1` });
    const stream =
      api === 'chat'
        ? await client.chat.completions.create({ model: 'm', messages: [], stream: true })
        : await client.responses.create({ model: 'm', input: '', stream: true });
    for await (const _ of stream) count++;
    return count + (api === 'chat' ? 1 : 0);
  }
});

it('a gateway that nobody asks is quiet', async () => {
  const gateway = await start();
  await wait(20);
  expect(gateway.lines).toEqual([]);
  expect(await gateway.settled()).toBe(0);
});
