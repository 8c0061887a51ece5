// The limits of the gateway: rows "Gateway" of the threats, over real sockets.

import { describe, expect, it } from 'vitest';
import { eventsOf, rawRequest, startFlood, until, Wire } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, apis } from './three-apis.js';

const MB = 1024 * 1024;
const { model, start } = await openStage();

describe('G9-G13: the limit of', () => {
  it('headers: 431', async () => {
    const gateway = await start({ limits: { headerBytes: 2048 } });
    const headers = { 'x-long': 'x'.repeat(4096) };
    expect((await rawRequest(`${gateway.url}/healthz`, { headers })).status).toBe(431);
    expect((await rawRequest(`${gateway.url}/healthz`)).status).toBe(200);
  });

  it.each(['with its length', 'in chunks'])(
    'a body %s: 413, and the request no longer counts',
    async (how) => {
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
      expect(await response.text()).toMatch(/2048 bytes.*limits\.bodyBytes/);
      expect((await gateway.ask('chat')).status).toBe(200);
      expect(await gateway.settled()).toBe(2);
      expect(model.requests).toHaveLength(1);
    },
  );

  it('choices: 400 that names the member', async () => {
    const gateway = await start({ limits: { choices: 2 } });
    model.script('Hello.', 'Hello.');
    const refused = await gateway.ask('chat', { n: 3 });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { param: 'n' } });
    expect((await gateway.ask('chat', { n: 2 })).status).toBe(200);
    expect(model.requests).toHaveLength(2);
  });

  it('a line of an upstream that never ends: an error, and the upstream request is aborted', async () => {
    const begun = 'data: {"choices":[{"delta":{"content":"';
    const flood = await startFlood(512 * MB, { start: begun, piece: 'x'.repeat(MB) });
    const gateway = await start({}, flood.url);
    const events = await eventsOf(await gateway.ask('chat', { stream: true }));
    expect(JSON.stringify(events)).toContain('an event of more than 33554432 characters');
    await until(() => flood.left, 'the upstream was not left');
    expect(flood.produced).toBeLessThan(128 * MB);
    await gateway.settled();
    await flood.close();
  });

  it.each(['headers', 'a body'])('time for %s: 408, and the request no longer counts', async (what) => {
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

  it('time without reading: dropped, the upstream request aborted, and the request no longer counts', async () => {
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

  it('time without reading: a client that waits for a slow model is not dropped', async () => {
    const gateway = await start({ limits: { readTimeout: 500 } });
    for (const stream of [true, false]) {
      model.script({ text: 'Hello.', pieces: 3, delay: 800 });
      const response = await gateway.ask('chat', { stream });
      expect(await response.text()).toContain(stream ? '[DONE]' : 'Hello.');
    }
    expect(await gateway.settled()).toBe(2);
  });

  it.each(apiNames)(
    'requests at once over %s: 503 with a retry-after, and accepted again later',
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
