// Faults between a client, the gateway and a model: rows "Faults" of the threats, over real sockets. After each fault,
// all counters must be back where they were.

import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isFull } from '../effort.js';
import type { Fault } from '../scripted/reply.js';
import { close, listen } from '../scripted/text-model.js';
import { heldBytes } from './heap.js';
import { eventsIn, eventsOf, startFlood, until, Wire } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, apis, call } from './three-apis.js';

const MB = 1024 * 1024;
const { model, start } = await openStage();

const waiting = (timeouts: object) => ({
  upstream: { timeouts: { connect: 10_000, firstByte: 10_000, idle: 10_000, total: 10_000, ...timeouts } },
});

/** Buffers are outside the heap and freed some time after their last use: only their trend is meaningful. */
function outsideBytes(): number {
  return process.memoryUsage().external;
}

describe('L14: a client that reads slowly', () => {
  it('stops the upstream once the socket buffers are full (backpressure), and goes on when it reads again', async () => {
    const flood = await startFlood(24 * MB);
    const gateway = await start({}, flood.url);
    const wire = await Wire.open(gateway.port);
    wire.socket.pause();
    wire.post('chat', { stream: true });
    await until(() => flood.produced > 0, 'the upstream was not asked');
    let before = -1;
    while (before !== flood.produced) {
      before = flood.produced;
      await wait(150);
    }
    expect(before).toBeLessThan(20 * MB);
    wire.socket.resume();
    await until(() => wire.closed, 'the stream did not end');
    expect(wire.received.length).toBeGreaterThan(24 * MB);
    expect(wire.received).toContain('[DONE]');
    expect(await gateway.settled()).toBe(1);
    await flood.close();
  });

  it('passes 50 MB in flat memory, 200 in the full measure', async () => {
    const total = (isFull ? 200 : 50) * MB;
    const flood = await startFlood(total);
    const gateway = await start({ config: { inspect: 0 } }, flood.url);
    const response = await gateway.ask('chat', { stream: true });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let bytes = 0;
    let measured = 0;
    const held: number[] = [];
    const outside: number[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes - measured < total / 20) continue;
      measured = bytes;
      held.push(heldBytes());
      outside.push(outsideBytes());
    }
    expect(bytes).toBeGreaterThan(total);
    expect(held.length).toBeGreaterThan(15);
    expect(Math.max(...held) - Math.min(...held)).toBeLessThan(10 * MB);
    expect(Math.min(...outside.slice(-8)) - Math.min(...outside.slice(0, 8))).toBeLessThan(5 * MB);
    await flood.close();
  });
});

describe('L15: a client that disconnects', () => {
  it('at any time, in any number: no request stays counted', async () => {
    const gateway = await start({ limits: { requests: 40 } });
    model.script(...Array(41).fill({ text: `Let me see. ${call}`, delay: 3 }));
    const asked = Array.from({ length: 40 }, async (_, at) => {
      const signal = AbortSignal.timeout(1 + at * 3);
      const response = await gateway.ask(apiNames[at % 3] ?? 'chat', { stream: true }, { signal });
      return response.text();
    });
    const results = await Promise.allSettled(asked);
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    await gateway.settled();
    expect((await gateway.ask('chat')).status).toBe(200);
  });
});

describe.each(apiNames)('L16: an upstream that fails, over %s', (api) => {
  const faults: Fault[] = [
    { type: 'reset', after: 3 },
    { type: 'end', after: 3 },
    { type: 'half-event', after: 3 },
    { type: 'bad-line', after: 3 },
    { type: 'error-event', after: 3, message: 'out of memory' },
    { type: 'silence', after: 3 },
  ];

  it('after the first byte: an error in the stream, then the end, never a clean one', async () => {
    const gateway = await start(waiting({ idle: 60 }));
    for (const fault of faults) {
      model.script({ text: `Let me see. ${call}`, fault });
      const events = await eventsOf(await gateway.ask(api, { stream: true }));
      expect([fault.type, apis[api].fails(events), apis[api].ends(events)]).toEqual([
        fault.type,
        true,
        false,
      ]);
      expect(model.requests).toHaveLength(1);
    }
    expect(await gateway.settled()).toBe(faults.length);
  });

  it('where nothing is streamed: an error status', async () => {
    const gateway = await start({ upstream: { ...waiting({ idle: 60 }).upstream, retries: 0 } });
    for (const fault of [...faults, { type: 'html' } as const]) {
      model.script({ text: call, fault });
      const response = await gateway.ask(api, { stream: false });
      expect([502, 504]).toContain(response.status);
      expect(await response.text()).toContain('message');
    }
    expect(await gateway.settled()).toBe(faults.length + 1);
  });

  it('or writes byte by byte: nothing changes', async () => {
    const gateway = await start();
    model.script({ text: call, pieces: 20, fault: { type: 'one-byte' } });
    const events = await eventsOf(await gateway.ask(api, { stream: true }));
    expect(apis[api].ends(events)).toBe(true);
    expect(events.map(({ data }) => data).join('')).toContain('get_weather');
    expect(await gateway.settled()).toBe(1);
  });
});

describe('L18, L19: a request is retried', () => {
  const busy = (status: number, headers: Record<string, string> = {}) => ({
    fault: {
      type: 'status' as const,
      status,
      body: '{"error":"busy"}',
      headers: { 'retry-after': '0', ...headers },
    },
  });

  it.each([408, 409, 429, 500, 503])('once, before the first byte, after status %i', async (status) => {
    const gateway = await start();
    model.script(busy(status), 'All well.', busy(status), busy(status), 'All well.');
    expect((await gateway.ask('chat')).status).toBe(200);
    expect(model.requests).toHaveLength(2);
    expect((await gateway.ask('chat')).status).toBeGreaterThanOrEqual(400);
    expect(model.requests).toHaveLength(4);
    expect(await gateway.settled()).toBe(2);
  });

  it('not after errors that will not pass, not where retries are off, and not after the first byte', async () => {
    const gateway = await start();
    model.script(busy(503, { 'x-should-retry': 'false' }), 'All well.');
    const refused = await gateway.ask('chat');
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(model.requests).toHaveLength(1);
    model.script({ text: 'Let me see.', fault: { type: 'reset', after: 2 } }, 'All well.');
    await eventsOf(await gateway.ask('chat', { stream: true }));
    expect(model.requests).toHaveLength(1);
    const once = await start({ upstream: { retries: 0 } });
    model.script(busy(503), 'All well.');
    expect((await once.ask('chat')).status).toBe(502);
    expect(model.requests).toHaveLength(1);
  });

  it('where a kept-alive connection was closed meanwhile', async () => {
    let asked = 0;
    const good = JSON.stringify({
      choices: [{ index: 0, message: { content: 'Hi.' }, finish_reason: 'stop' }],
    });
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        asked++;
        // The second request finds the connection of the first one broken.
        if (asked === 2) request.socket.resetAndDestroy();
        else response.writeHead(200, { 'content-type': 'application/json' }).end(good);
      });
    });
    const gateway = await start(
      { upstream: { connections: 1 } },
      `http://127.0.0.1:${await listen(server)}/v1`,
    );
    expect((await gateway.ask('chat')).status).toBe(200);
    expect((await gateway.ask('chat')).status).toBe(200);
    expect(asked).toBe(3);
    await close(server);
  });
});

describe('L20: a timeout', () => {
  it('to connect', async () => {
    const sockets: Socket[] = [];
    // Accepts connections and never sends a byte.
    const server = createTcpServer((socket) => void sockets.push(socket.on('error', () => {})));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    const settings = { upstream: { ...waiting({ connect: 100 }).upstream, retries: 0 } };
    const gateway = await start(settings, `https://127.0.0.1:${port}/v1`);
    const response = await gateway.ask('chat', { stream: true });
    expect([502, 504]).toContain(response.status);
    expect(await response.text()).toMatch(/connect/i);
    expect(await gateway.settled()).toBe(1);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('for the first byte', async () => {
    const gateway = await start({ upstream: { ...waiting({ firstByte: 60 }).upstream, retries: 0 } });
    for (const stream of [true, false]) {
      model.script({ fault: { type: 'no-answer' } });
      const response = await gateway.ask('chat', { stream });
      expect(response.status).toBe(504);
      expect(await response.text()).toContain('did not begin to answer');
      expect(await model.requests[0]?.over).toBe(true);
    }
    expect(await gateway.settled()).toBe(2);
  });

  it('for the next piece, and for the whole', async () => {
    const idle = await start(waiting({ idle: 60 }));
    model.script({ text: 'Let me see.', fault: { type: 'silence', after: 2 } });
    expect(await (await idle.ask('chat', { stream: true })).text()).toContain('fell silent');
    expect(await model.requests[0]?.over).toBe(true);
    const total = await start(waiting({ total: 120 }));
    model.script({ text: 'x'.repeat(3000), delay: 5 });
    expect(await (await total.ask('chat', { stream: true })).text()).toContain('was not done');
    expect(await model.requests[0]?.over).toBe(true);
    expect([await idle.settled(), await total.settled()]).toEqual([1, 1]);
  });
});

describe.each(apiNames)('L21: a silence, over %s', (api) => {
  it('is filled with heartbeats', async () => {
    const gateway = await start({ config: { heartbeat: 20 } });
    model.script({ text: 'Hello.', delay: 70, pieces: 6 });
    const text = await (await gateway.ask(api, { stream: true })).text();
    expect(text.split(api === 'messages' ? 'event: ping\n' : ': ping\n').length).toBeGreaterThan(3);
    expect(text).not.toContain(': ping\n\n');
    expect(apis[api].ends(eventsIn(text))).toBe(true);
    expect(await gateway.settled()).toBe(1);
  });
});
