// Access to the gateway: host names, origins of pages, public addresses. Rows "Gateway" of the threats, over real sockets.

import { configFromFlags, serve } from '@dragoman/gateway';
import { describe, expect, it } from 'vitest';
import { configOf, type RunningGateway, rawRequest } from './running-gateway.js';
import { openStage } from './stage.js';
import { apis } from './three-apis.js';

const { model, start } = await openStage();

describe('G6: a request with a host name', () => {
  const foreign = [
    'evil.example',
    'evil.example:8787',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '169.254.1.1',
  ];

  it.each([undefined, 'a-key-of-ours-1'])(
    'that is unknown gets 403 before anything else (key: %s)',
    async (key) => {
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
        const asked = await rawRequest(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers,
          body,
        });
        expect(asked.status).toBe(403);
      }
      expect(model.requests).toHaveLength(0);
      expect(gateway.lines).toEqual([]);
    },
  );

  it('of loopback or of the list is answered', async () => {
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

describe('G7: pages of other origins', () => {
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

  it('are refused by default, and no upstream request is sent', async () => {
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

  it('are allowed where they are listed, with a preflight that needs no key, and never with credentials', async () => {
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

  it('do not include the page that the gateway itself served', async () => {
    const gateway = await start();
    model.script('Hello.');
    expect((await ask(gateway, gateway.url, 'POST')).status).toBe(200);
  });
});

describe('G8: the address of a gateway', () => {
  it('is refused without keys where it is not loopback, unless insecure is set', () => {
    const result = (flags: object) => configFromFlags({ demo: true, ...flags }, {}).ok;
    expect(result({ host: '0.0.0.0' })).toBe(false);
    expect(result({ host: '::' })).toBe(false);
    expect(result({ host: '192.168.1.5' })).toBe(false);
    expect(result({ host: '0.0.0.0', key: 'a-key-of-ours-3' })).toBe(true);
    expect(result({ host: '0.0.0.0', insecure: true })).toBe(true);
    expect(result({ host: '127.0.0.1' })).toBe(true);
  });

  it('is loopback alone by default', async () => {
    const gateway = await serve(configOf(model.url), { write: () => {} });
    expect(gateway.url).toContain('127.0.0.1');
    await gateway.close();
  });
});

describe('what other clients sent', () => {
  const told = ['/metrics', '/inspector/exchanges', '/inspector/exchanges/some-id', '/inspector/events'];
  const keys = [
    { name: 'user', key: 'key-of-a-user' },
    { name: 'operator', key: 'key-of-the-operator', admin: true as const },
  ];
  const asking = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

  it.each(told)('at %s is shown to keys with admin, and not to all keys', async (path) => {
    const gateway = await start({ config: { keys } });
    model.script('Hello.');
    const body = { 'x-request-id': 'some-id', ...asking('key-of-a-user').headers };
    expect((await gateway.ask('chat', {}, { headers: body })).status).toBe(200);
    expect((await fetch(gateway.url + path)).status).toBe(401);
    const refused = await fetch(gateway.url + path, asking('key-of-a-user'));
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('admin: true');
    const seen = await fetch(gateway.url + path, asking('key-of-the-operator'));
    expect(seen.status).toBe(200);
    await seen.body?.cancel();
  });

  it('is shown on loopback where no keys are configured', async () => {
    const gateway = await start();
    expect((await fetch(`${gateway.url}/inspector/exchanges`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(200);
  });
});
