// Large requests are answered by a thread of the built gateway: it behaves as the gateway does for all others.

import { setTimeout } from 'node:timers/promises';
import type { Gateway } from '@dragoman/gateway';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configOf, eventsOf, type Settings, until, Wire } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, apis, call } from './three-apis.js';

/** Types are checked beside the build, before this is there. */
const built = new URL('../../packages/gateway/dist/index.js', import.meta.url).href;
const { serve }: typeof import('@dragoman/gateway') = await import(built);

const { model } = await openStage();
const running: Gateway[] = [];
/** Threads that were started: a test of this file that starts none tests nothing. */
let threads = 0;
process.on('worker', () => threads++);
beforeEach(() => {
  threads = 0;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
  expect(threads).toBeGreaterThan(0);
});

async function start(settings: Settings = {}) {
  const lines: string[] = [];
  const gateway = await serve(configOf(model.url, settings), { write: (line) => lines.push(line) });
  running.push(gateway);
  const ask = (api: keyof typeof apis, more: object, init: RequestInit = {}) => {
    const body = JSON.stringify({ ...apis[api].body, ...more });
    return fetch(`${gateway.url}${apis[api].path}`, { method: 'POST', body, ...init });
  };
  return { gateway, ask, lines };
}

/** Sends a body in pieces, each as a chunk and a packet of its own. */
async function sendPieces(port: number, pieces: readonly string[]): Promise<string> {
  const wire = await Wire.open(port);
  wire.socket.setNoDelay(true);
  const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n';
  wire.socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
  for (const piece of pieces) {
    await setTimeout(20);
    wire.socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`, 'latin1');
  }
  wire.socket.write('0\r\n\r\n');
  await until(() => wire.closed, 'the connection is still open');
  return wire.received;
}

const large = { padding: Array(6000).fill('x') };

describe('a large request', () => {
  it.each(apiNames)('over %s is answered as a small one is, whole and streamed', async (api) => {
    const { ask } = await start();
    for (const stream of [false, true]) {
      model.script(`Let me see. ${call}`, `Let me see. ${call}`);
      const answers: string[] = [];
      for (const more of [{ padding: ['x'] }, large]) {
        const text = await (await ask(api, { stream, ...more })).text();
        // Ids and times are drawn.
        answers.push(text.replace(/[a-z]+[-_][A-Za-z0-9]{16,}|"(created|created_at)":\d+/g, '~'));
      }
      expect(answers[1]).toContain('get_weather');
      expect(answers[1]).toBe(answers[0]);
    }
  });

  it('has its tools again in a whole answer of Responses, and the connection goes on', async () => {
    const { ask } = await start();
    // Characters of one, two and four bytes, so that pieces end in any of them.
    const description = 'aé🙂'.repeat(200_000);
    const tools = [{ type: 'function', name: 'f', description, parameters: { type: 'object' } }];
    for (let again = 0; again < 2; again++) {
      model.script('Hello.');
      const answer = await ask('responses', { tools });
      const text = await answer.text();
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
      expect(JSON.parse(text).tools[0].description === description).toBe(true);
    }
  });

  it('is left within its first moments, and nothing of it stays', async () => {
    const { gateway, ask } = await start();
    for (const time of [0, 1, 5, 20, 60]) {
      model.script('Hello.');
      const left = new AbortController();
      const asked = ask('chat', large, { signal: left.signal }).catch(() => 'left');
      await setTimeout(time);
      left.abort();
      await asked;
    }
    await until(() => gateway.app.open === 0, 'a request is still open');
    model.script('Hello.');
    expect((await ask('chat', large)).status).toBe(200);
  });

  it('is answered by the configuration that was read last, of which the thread gets parts', async () => {
    const { gateway, ask } = await start();
    model.script('Hello.');
    expect((await ask('chat', large)).status).toBe(200);
    const config = configOf(model.url);
    const [first] = config.models;
    if (!first) throw new Error('expected a model');
    for (const round of ['a', 'b']) {
      const models = Array.from({ length: 2000 }, (_, at) => ({ ...first, name: `${round}${at}` }));
      expect(gateway.reload({ ...config, models })).toBe(true);
      const named = { model: `${round}1999` };
      model.script('Hello.');
      while ((await ask('chat', named)).status !== 200) await setTimeout(5);
      model.script('Hello.');
      expect((await ask('chat', { ...named, ...large })).status).toBe(200);
    }
    expect((await ask('chat', { model: 'a1999', ...large })).status).toBe(404);
  });

  it('is answered in the first thread where the second cannot be sent the configuration', async () => {
    const { gateway, ask, lines } = await start();
    model.script('Hello.');
    expect((await ask('chat', large)).status).toBe(200);
    const config = configOf(model.url);
    const [first] = config.models;
    const [upstream] = [...config.upstreams];
    if (!first || !upstream) throw new Error('expected a model and its upstream');
    const [name, settings] = upstream;
    // What only a program can write.
    const upstreams = new Map([[name, { ...settings, body: Object.assign(() => {}, settings.body) }]]);
    gateway.reload({ ...config, upstreams, models: [{ ...first, name: 'of-a-program' }] } as never);
    const named = { model: 'of-a-program', ...large };
    model.script('Hello.');
    await until(() => lines.some((line) => line.includes('did not take')), 'nothing was logged');
    expect((await ask('chat', named)).status).toBe(200);
    expect((await ask('chat', { ...named, model: 'mystery' })).status).toBe(404);
    gateway.reload({ ...config, models: [{ ...first, name: 'again' }] });
    model.script('Hello.');
    expect((await ask('chat', { model: 'again', ...large })).status).toBe(200);
    expect(threads).toBe(2);
  });

  it('has its tools again in the events of Responses, every character whole', async () => {
    const { ask } = await start();
    // Odd, so that a cut at any even place would be between the halves of one.
    const description = `x${'\u{1f600}'.repeat(300_000)}`;
    const tools = [{ type: 'function', name: 'f', description, parameters: { type: 'object' } }];
    model.script('Hello.');
    const events = await eventsOf(await ask('responses', { stream: true, tools }));
    const repeated = events.flatMap(({ data }) => JSON.parse(data).response?.tools ?? []);
    expect(repeated).toHaveLength(3);
    for (const tool of repeated) expect(tool.description === description).toBe(true);
  });

  it('is in the metrics, the inspector and the log, once', async () => {
    const { gateway, ask, lines } = await start();
    model.script('Hello.', 'Hello.');
    const ids: string[] = [];
    for (const more of [{}, large]) {
      const response = await ask('chat', more);
      ids.push(response.headers.get('x-request-id') ?? '');
      await response.text();
    }
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toMatch(/^dragoman_requests_total\{[^}]*status="200"[^}]*\} 2$/m);
    const listed = await (await fetch(`${gateway.url}/inspector/exchanges`)).json();
    expect((listed as { exchanges: { id: string }[] }).exchanges.map(({ id }) => id)).toEqual(
      ids.toReversed(),
    );
    await until(() => lines.length >= 2, 'lines are missing');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(expect.arrayContaining(ids));
    expect(lines.filter((line) => line.includes('answered'))).toHaveLength(2);
  });

  it('is counted by the key, and refused without one', async () => {
    const keys = [{ key: 'a-key-of-alice', requestsPerMinute: 1 }];
    const { ask } = await start({ config: { keys } });
    model.script('Hello.');
    const headers = { authorization: 'Bearer a-key-of-alice' };
    expect((await ask('chat', large)).status).toBe(401);
    expect((await ask('chat', large, { headers })).status).toBe(200);
    expect((await ask('chat', large, { headers })).status).toBe(429);
    expect(model.requests).toHaveLength(1);
  });

  it('ends at the upstream when its client leaves', async () => {
    const { gateway, ask } = await start();
    model.script({ text: call, fault: { type: 'silence', after: 1 } });
    const leaving = new AbortController();
    const answered = ask('chat', { ...large, stream: true }, { signal: leaving.signal });
    const seen = await model.arrived(0);
    await answered;
    leaving.abort();
    expect(await seen.over).toBe(true);
    await until(() => gateway.app.open === 0, 'the request is still open');
  });

  it('ends with an error in its stream when the gateway stops', async () => {
    const { gateway, ask } = await start();
    model.script({ text: call, fault: { type: 'silence', after: 1 } });
    const response = await ask('chat', { ...large, stream: true });
    await model.arrived(0);
    const closed = gateway.close();
    expect(JSON.stringify(await eventsOf(response))).toContain('shutting down');
    await closed;
  });

  it('finds a response that a small one stored', async () => {
    const { ask } = await start();
    model.script('Hello.', 'Hello again.');
    const first = (await (await ask('responses', { store: true })).json()) as { id: string };
    const second = await ask('responses', { ...large, previous_response_id: first.id });
    expect(second.status).toBe(200);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Hello.');
  });

  it.each([
    ['small, large, small', [9, 1000, 20_000, 1000, 1000, 20_000, 9]],
    ['large pieces only', [20_000, 20_000, 20_000]],
    ['small pieces only', [9, 99, 999, 9999]],
  ])('is read in pieces: %s', async (_, lengths) => {
    const { gateway } = await start();
    model.script('Hello.');
    const body = JSON.stringify({ ...apis.chat.body, ...large, more: 'é'.repeat(60_000) });
    const bytes = Buffer.from(body).toString('latin1');
    const pieces: string[] = [];
    let at = 0;
    for (const length of lengths) {
      pieces.push(bytes.slice(at, at + length));
      at += length;
    }
    pieces.push(bytes.slice(at));
    const received = await sendPieces(Number(new URL(gateway.url).port), pieces);
    expect(received).toContain('200 OK');
    expect(received).toContain('Hello.');
  });
});
