// Which upstreams the gateway sends requests to, and with which keys: rows "Gateway" of the threats, over real sockets.

import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { close, listen, startTextModel } from '../scripted/text-model.js';
import { type RunningGateway, rawRequest } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, apis } from './three-apis.js';

const { model, start } = await openStage();
/** An address that must never get a request. */
const elsewhere = await startTextModel();
afterAll(() => elsewhere.close());

describe('G1, G2: a request goes to', () => {
  it.each(apiNames)('only the configured upstream, whatever it contains, over %s', async (api) => {
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

  it('no address to which an upstream redirects', async () => {
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

  it('are in no log line, error, metric, inspector record or body', async () => {
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

  it('are in no error about an upstream that cannot be reached', async () => {
    const server = createServer();
    const port = await listen(server);
    await close(server);
    const gateway = await start({ flags: { upstreamKey } }, `http://127.0.0.1:${port}/v1`);
    const response = await gateway.ask('chat', {}, { headers: { 'x-api-key': client } });
    expect(response.status).toBe(502);
    expect((await response.text()) + gateway.lines.join('')).not.toContain('canary-');
  });
});

describe('G4: the key that an upstream gets', () => {
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

  it("is the upstream's own, and nothing of what the client sent", async () => {
    const gateway = await start({ flags: { upstreamKey: 'key-of-the-upstream' } });
    model.script('Hello.');
    expect((await ask(gateway, sent)).status).toBe(200);
    const headers = model.requests[0]?.headers;
    expect(headers?.authorization).toBe('Bearer key-of-the-upstream');
    expect(JSON.stringify(headers)).not.toMatch(/of-the-client|a2V5|10\.1\.2\.3|trailers/);
  });

  it('is none where none is configured', async () => {
    const gateway = await start();
    model.script('Hello.');
    expect((await ask(gateway, sent)).status).toBe(200);
    expect(model.requests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(model.requests[0]?.headers)).not.toMatch(/of-the-client|a2V5/);
  });

  it("is each client's own where passKey is set", async () => {
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
