// Clients that send a byte at a time, and SIGTERM in the middle of a thousand streams: gateways that are processes.

import { Agent, createServer, request, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { ServeProcess } from '../../packages/cli/src/serve-process.fixture.js';
import { close, listen } from '../scripted/text-model.js';
import { eventsIn, until, Wire } from './running-gateway.js';
import { healthPortOf, openServedStage, post } from './served-process.js';
import { type Api, apiNames, apis } from './three-apis.js';

const stage = openServedStage();

/** A model whose streams stay open until it is told to end them. */
const open = new Set<ServerResponse>();
const server = createServer((asked, response) => {
  asked.resume();
  // The gateway asks what kind of server this is.
  if (asked.method !== 'POST') return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('data: {"choices":[{"index":0,"delta":{"content":"so on "}}]}\n\n');
  open.add(response.on('close', () => open.delete(response)));
});
const url = `http://127.0.0.1:${await listen(server)}/v1`;
afterAll(() => close(server));
const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const upstream = { url, kind: 'chat' };

/** What liveness says on the healthPort, over a new connection. */
async function isAlive({ stdout }: ServeProcess): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${healthPortOf(stdout)}/healthz`)).status === 200;
}

describe.each(['headers', 'a body'])('clients that send %s one byte at a time', (what) => {
  const CLIENTS = 60;
  const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\n';
  const whole = `${head}x-long: ${'x'.repeat(20_000)}\r\n\r\n`;
  const body = `${head}content-length: 20000\r\n\r\n{"model":"${'x'.repeat(20_000)}`;
  const [sent, from] = what === 'headers' ? [whole, 0] : [body, body.indexOf('{')];

  async function startDribbling(requestTimeout: string) {
    stage.write('slow.json', { upstream, dialect: 'hermes', limits: { requestTimeout }, healthPort: 0 });
    const gateway = await stage.serve('slow.json');
    const port = Number(new URL(gateway.url).port);
    const wires = await Promise.all(Array.from({ length: CLIENTS }, () => Wire.open(port)));
    for (const wire of wires) wire.socket.write(sent.slice(0, from));
    const dribble = async () => {
      for (let at = from; wires.some(({ closed }) => !closed); at++) {
        for (const { socket, closed } of wires) if (!closed && socket.writable) socket.write(sent[at] ?? 'x');
        await wait(25);
      }
    };
    return { gateway, wires, over: dribble() };
  }

  it('are cut off when the time is up', async () => {
    const { gateway, wires, over } = await startDribbling('500ms');
    await over;
    // Who still writes may be told by a reset, before it reads the 408.
    for (const { received } of wires)
      expect(received === '' || received.startsWith('HTTP/1.1 408')).toBe(true);
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });

  it('hold up nobody while they are there', async () => {
    const { gateway, wires, over } = await startDribbling('1h');
    const answered = post(`${gateway.url}/v1/chat/completions`, apis.chat.body);
    await until(() => open.size > 0, 'the model was not asked');
    for (const response of open) response.end(last);
    expect((await answered).status).toBe(200);
    expect(await isAlive(gateway)).toBe(true);
    expect(wires.filter(({ closed }) => closed)).toEqual([]);
    for (const { socket } of wires) socket.destroy();
    await over;
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });
});

describe('SIGTERM in the middle of a thousand streams', () => {
  const STREAMS = 1000;

  interface Ended {
    api: Api;
    text: string;
    broken: boolean;
  }

  function stream(address: string, api: Api, agent: Agent): Promise<Ended> {
    return new Promise((tell) => {
      let text = '';
      const end = (broken: boolean) => tell({ api, text, broken });
      const sent = request(address + apis[api].path, { method: 'POST', agent }, (response) => {
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece;
        });
        response.on('end', () => end(false)).on('error', () => end(true));
      });
      sent.on('error', () => end(true)).end(JSON.stringify({ ...apis[api].body, stream: true }));
    });
  }

  it('each ends whole or with an error in the stream, and the process with the code 0', async () => {
    const more = { shutdown: '8s', store: 'none', healthPort: 0 };
    stage.write('many.json', { upstream, dialect: 'hermes', ...more });
    const gateway = await stage.serve('many.json');
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    const streams = Array.from({ length: STREAMS }, (_, at) =>
      stream(gateway.url, apiNames[at % 3] ?? 'chat', agent),
    );
    await until(() => open.size === STREAMS, 'not all reach the model');
    expect(await isAlive(gateway)).toBe(true);
    expect(open.size).toBe(STREAMS);
    gateway.child.kill('SIGTERM');
    // Half of the answers come to their end meanwhile.
    for (const response of [...open].slice(0, STREAMS / 2)) response.end(last);
    const ended = await Promise.all(streams);
    expect(await gateway.ended).toBe(0);
    const ways = ended.map(({ api, text, broken }) => {
      const events = eventsIn(text);
      if (broken) return 'broken';
      return apis[api].ends(events) ? 'whole' : apis[api].fails(events) ? 'error' : 'lost';
    });
    const count = (way: string) => ways.filter((one) => one === way).length;
    expect([count('broken'), count('lost')]).toEqual([0, 0]);
    // On a busy machine the time to shut down may be over before the last of the other half has ended.
    expect(count('error')).toBeGreaterThanOrEqual(STREAMS / 2);
    expect(count('whole')).toBeGreaterThan(0);
    expect(gateway.stderr).toBe('');
    await until(() => open.size === 0, 'the model has open streams');
    agent.destroy();
  });
});
