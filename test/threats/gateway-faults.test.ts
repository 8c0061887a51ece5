// What goes wrong around the gateway: the rows of the threats called Faults, over real sockets, from a client through
// the gateway to a model and back. After each fault, everything that counts must be back where it was.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp, createLog, createResponses, serve } from '@dragoman/gateway';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RealServer, startServer } from '../../packages/gateway/src/store/real-servers.fixture.js';
import type { Fault } from '../scripted/reply.js';
import { close, listen, startTextModel, type TextModel } from '../scripted/text-model.js';
import {
  configOf,
  eventsIn,
  eventsOf,
  type RunningGateway,
  type Settings,
  startFlood,
  startGateway,
  until,
  Wire,
} from './running-gateway.js';
import { apiNames, apis, call } from './three-apis.js';

const MB = 1024 * 1024;

let model: TextModel;
const running: RunningGateway[] = [];
beforeAll(async () => {
  model = await startTextModel();
});
afterAll(() => model.close());
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

async function start(settings: Settings = {}, url = model.url): Promise<RunningGateway> {
  const gateway = await startGateway(url, settings);
  running.push(gateway);
  return gateway;
}

const waiting = (timeouts: object) => ({
  upstream: { timeouts: { connect: 10_000, firstByte: 10_000, idle: 10_000, total: 10_000, ...timeouts } },
});

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

function heldBytes(): number {
  gc();
  return process.memoryUsage().heapUsed;
}

/** Buffers lie outside the heap, and go some time after they were let go: only their trend says something. */
function outsideBytes(): number {
  return process.memoryUsage().external;
}

describe('L14: a slow reader', () => {
  it('stops the upstream after what the sockets hold, and goes on when it reads again', async () => {
    const flood = await startFlood(64 * MB);
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
    expect(before).toBeLessThan(32 * MB);
    wire.socket.resume();
    await until(() => wire.closed, 'the stream did not end', 20_000);
    expect(wire.received.length).toBeGreaterThan(64 * MB);
    expect(wire.received).toContain('[DONE]');
    expect(await gateway.settled()).toBe(1);
    await flood.close();
  });

  it('passes 200 MB in flat memory', async () => {
    const flood = await startFlood(200 * MB);
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
      if (bytes - measured < 10 * MB) continue;
      measured = bytes;
      held.push(heldBytes());
      outside.push(outsideBytes());
    }
    expect(bytes).toBeGreaterThan(200 * MB);
    expect(held.length).toBeGreaterThan(15);
    expect(Math.max(...held) - Math.min(...held)).toBeLessThan(10 * MB);
    expect(Math.min(...outside.slice(-8)) - Math.min(...outside.slice(0, 8))).toBeLessThan(5 * MB);
    await flood.close();
  });
});

describe('L15: a client that leaves', () => {
  it.each(['before the headers', 'before the first token', 'inside a call', 'while nothing is streamed'])(
    '%s: the upstream is left within 100 ms',
    async (when) => {
      const gateway = await start();
      const streams = when !== 'while nothing is streamed';
      const after = when === 'inside a call' ? 12 : 1;
      const fault: Fault =
        when === 'before the headers' || !streams ? { type: 'no-answer' } : { type: 'silence', after };
      model.script({ text: call, fault });
      const leaving = new AbortController();
      const answered = gateway.ask('chat', { stream: streams }, { signal: leaving.signal });
      answered.then((response) => response.text()).catch(() => {});
      const seen = await model.arrived(0);
      if (fault.type === 'silence') await answered;
      await wait(30);
      const left = performance.now();
      leaving.abort();
      expect(await seen.over).toBe(true);
      expect((seen.leftAt ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(100);
      expect(await gateway.settled()).toBe(1);
      expect(gateway.lines.join('')).toContain('the client left');
    },
  );

  it('at any time, in any number: no place is lost', async () => {
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

  it('where nothing is streamed: a status', async () => {
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

describe('L18, L19: trying again', () => {
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

  it('not where it is no use, not where it is off, and not after the first byte', async () => {
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

  it('where a kept connection was closed meanwhile', async () => {
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

describe('L20: waiting', () => {
  it('to connect', async () => {
    const sockets: Socket[] = [];
    // Takes connections, and never greets.
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
  it('is filled with signs of life', async () => {
    const gateway = await start({ config: { heartbeat: 20 } });
    model.script({ text: 'Hello.', delay: 70, pieces: 6 });
    const text = await (await gateway.ask(api, { stream: true })).text();
    expect(text.split(api === 'messages' ? 'event: ping\n' : ': ping\n').length).toBeGreaterThan(3);
    expect(text).not.toContain(': ping\n\n');
    expect(apis[api].ends(eventsIn(text))).toBe(true);
    expect(await gateway.settled()).toBe(1);
  });
});

describe('L22: a gateway that stops', () => {
  it.each(apiNames)('ends what takes too long with an error in the stream, over %s', async (api) => {
    const gateway = await startGateway(model.url, { config: { shutdownSeconds: 0.1 } });
    model.script({ text: 'x'.repeat(3000), delay: 5 });
    const response = await gateway.ask(api, { stream: true });
    const streamed = eventsOf(response);
    const closing = gateway.close();
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(503);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    const events = await streamed;
    expect([apis[api].fails(events), apis[api].ends(events)]).toEqual([true, false]);
    expect(JSON.stringify(events)).toContain('shutting down');
    expect(await model.requests[0]?.over).toBe(true);
    await closing;
    expect(gateway.gateway.app.open).toBe(0);
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
  });

  it('gives the end of an answer to a reader who is slow', async () => {
    const gateway = await startGateway(model.url, { config: { shutdownSeconds: 5 } });
    model.script({ text: 'x'.repeat(3_000_000), pieces: 100_000 });
    const wire = await Wire.open(gateway.port);
    wire.socket.pause();
    wire.post('chat', { stream: true });
    await model.arrived(0);
    const closing = gateway.close();
    await wait(100);
    wire.socket.resume();
    await closing;
    await until(() => wire.closed, 'the connection is open');
    expect(wire.received).toContain('[DONE]');
    expect(wire.received.endsWith('\r\n0\r\n\r\n')).toBe(true);
  });

  it('as a process: a stream is finished, and the code is 0', async () => {
    model.script({ text: 'Hello, this takes a moment.', delay: 40 });
    const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
    const args = ['serve', '--upstream', model.url, '--dialect', 'hermes', '--port', '0'];
    const gateway = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    gateway.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const ended = new Promise((tell) => gateway.once('exit', (code, signal) => tell(code ?? signal)));
    try {
      await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said), 'it does not listen', 20_000);
      const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      const response = await fetch(url + apis.chat.path, {
        method: 'POST',
        body: JSON.stringify({ ...apis.chat.body, stream: true }),
      });
      gateway.kill('SIGTERM');
      expect(apis.chat.ends(await eventsOf(response))).toBe(true);
      expect(await ended).toBe(0);
    } finally {
      gateway.kill('SIGKILL');
    }
  });
});

const descriptors = () => readdirSync('/proc/self/fd').length;

describe.skipIf(process.platform !== 'linux')('L23: many streams', () => {
  it('paced, some leaving: no descriptor and no memory is left', async () => {
    const base = descriptors();
    const gateway = await startGateway(model.url, { config: { inspect: 10 } });
    const round = async () => {
      model.script(...Array(150).fill({ text: `Let me see. ${call}`, delay: 4, pieces: 12 }));
      const asked = Array.from({ length: 150 }, async (_, at) => {
        const leaves = at % 5 === 0 ? { signal: AbortSignal.timeout(20 + at / 4) } : {};
        const response = await gateway.ask(apiNames[at % 3] ?? 'chat', { stream: true }, leaves);
        return response.text();
      });
      const results = await Promise.allSettled(asked);
      await gateway.settled();
      gateway.lines.length = 0;
      return results.filter(({ status }) => status === 'fulfilled').length;
    };
    const held: number[] = [];
    for (let n = 0; n < 5; n++) {
      expect(await round()).toBeGreaterThanOrEqual(120);
      held.push(heldBytes());
    }
    const [, second = 0, , , last = 0] = held;
    expect(last - second).toBeLessThan(3 * MB);
    await gateway.close();
    await until(() => descriptors() <= base + 5, `${descriptors() - base} descriptors are left`, 8000);
  });
});

describe('what stands around', () => {
  it('a watcher that throws: requests are answered', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', form: 'json', write: (line) => lines.push(line) });
    const thrower = () => {
      throw new Error('a watcher of no use');
    };
    const watches = [
      { begin: thrower },
      { begin: () => ({ model: thrower, event: thrower, firstByte: thrower, end: thrower }) },
    ];
    for (const watcher of watches) {
      const app = createApp(configOf(model.url), {
        log,
        watcher,
        limiter: { take: async () => ({ ok: true }) },
        responses: createResponses(undefined, 0, { log }),
      });
      model.script('Hello.', 'Hello.');
      for (const stream of [true, false]) {
        const body = JSON.stringify({ ...apis.chat.body, stream });
        const response = await app.fetch(
          new Request(`http://127.0.0.1${apis.chat.path}`, { method: 'POST', body }),
        );
        expect(response.status).toBe(200);
        expect(await response.text()).toContain(stream ? '[DONE]' : 'Hello.');
        expect(app.open).toBe(0);
      }
    }
    expect(lines.filter((line) => line.includes('"answered"'))).toHaveLength(4);
  });

  it('a reload: streams go on, and so does a model that is asked again', async () => {
    const gateway = await start();
    const other = await startTextModel('From the other one.');
    const broken = '<tool_call>\n{"name": "get_weather", "arguments": {"city": \n</tool_call>';
    model.script({ text: call, delay: 10 }, { text: broken, delay: 20 }, call);
    const streamed = gateway.ask('chat', { stream: true });
    await model.arrived(0);
    const whole = gateway.ask('chat');
    await model.arrived(1);
    gateway.gateway.reload(configOf(other.url));
    expect(await (await gateway.ask('chat')).text()).toContain('From the other one.');
    expect(apis.chat.ends(await eventsOf(await streamed))).toBe(true);
    expect(await (await whole).text()).toContain('Beijing');
    expect(model.requests).toHaveLength(3);
    expect(other.requests).toHaveLength(1);
    expect(await gateway.settled()).toBe(3);
    await other.close();
  });
});

describe('two gateways on one Redis', () => {
  let redis: RealServer | string;
  beforeAll(async () => {
    redis = await startServer('redis');
  }, 120_000);
  afterAll(async () => {
    if (typeof redis !== 'string') await redis.stop();
  });

  it('share responses and limits, and answer without it', async ({ skip }) => {
    if (typeof redis === 'string') return skip(redis);
    const keys = [{ name: 'one', key: 'a-key-for-two-gateways', requestsPerMinute: 3 }];
    const settings = { config: { keys, store: { url: redis.url, seconds: 60 } } };
    const [first, second] = await Promise.all([start(settings), start(settings)]);
    model.script('It is sunny.', 'As I said.', 'Hello.', 'Hello.', 'Hello.');
    const kept = (await (await first.ask('responses', { store: true })).json()) as { id: string };
    const more = { store: true, previous_response_id: kept.id, input: 'Again?' };
    expect((await second.ask('responses', more)).status).toBe(200);
    expect(JSON.stringify(model.requests[1]?.body)).toContain('It is sunny.');
    expect((await first.ask('chat')).status).toBe(200);
    const refused = await second.ask('chat');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);

    await redis.kill();
    const alone = await start({ config: { store: { url: redis.url, seconds: 60 } } });
    expect((await alone.ask('chat')).status).toBe(200);
    expect((await fetch(`${alone.url}/readyz`)).status).toBe(503);
    expect(alone.lines.join('')).not.toContain('canary');
    await Promise.all([first.settled(), second.settled(), alone.settled()]);
  });
});

it('an address that is taken is an error, and nothing stays open', async () => {
  const gateway = await start();
  await expect(serve({ ...configOf(model.url), port: gateway.port }, { write: () => {} })).rejects.toThrow(
    'EADDRINUSE',
  );
});
