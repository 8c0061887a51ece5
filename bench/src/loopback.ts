// Over loopback, for information: a model and the bridge as HTTP servers, and a client, all with node:http and in this
// one process; against a proxy that pipes the same bytes.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createResponder } from '@dragoman/core/bridge';
import { chunks, requestTo } from './exchange.js';
import { cut, KB, prose } from './inputs.js';
import { cpuOfAsync } from './measure.js';

export interface Loopback {
  deltas: number;
  /** Microseconds of CPU a delta, of model, proxy and client together. */
  piped: number;
  bridged: number;
  ratio: number;
}

export async function loopback(length = 256 * KB, rounds = 3): Promise<Loopback> {
  const deltas = cut(prose(length), 4);
  const model = await listen((asked, answer) => {
    asked.resume();
    Readable.from(sseOf(deltas), { objectMode: false }).pipe(begun(answer));
  });
  const proxy = await listen((asked, answer) => {
    const passed = request(`${model.url}${asked.url}`, { method: 'POST' }, (got) => got.pipe(begun(answer)));
    asked.pipe(passed);
  });
  const upstream = { url: `${model.url}/v1`, tools: false };
  const respond = createResponder({ upstream, mode: 'emulate', dialect: 'hermes' });
  const bridge = await listen(async (asked, answer) => {
    const response = await respond(await toRequest(asked));
    Readable.fromWeb(response.body as never).pipe(begun(answer));
  });
  let piped = Number.POSITIVE_INFINITY;
  let bridged = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    piped = Math.min(piped, await cpuOfAsync(() => askAt(proxy.url)));
    bridged = Math.min(bridged, await cpuOfAsync(() => askAt(bridge.url)));
  }
  for (const { server } of [bridge, proxy, model]) server.close().closeAllConnections();
  const each = 1e3 / deltas.length;
  return { deltas: deltas.length, piped: piped * each, bridged: bridged * each, ratio: bridged / piped };
}

function* sseOf(deltas: readonly string[]): Generator<string> {
  const chunk = chunks['openai-chat'];
  for (const delta of deltas) yield chunk(delta);
  yield 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
}

function begun(answer: ServerResponse): ServerResponse {
  return answer.writeHead(200, { 'content-type': 'text/event-stream' });
}

async function listen(
  answer: (asked: IncomingMessage, answer: ServerResponse) => void,
): Promise<{ server: Server; url: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function toRequest(asked: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = [];
  for await (const part of asked) parts.push(part);
  const url = new URL(asked.url ?? '/', 'http://bridge.test');
  const headers = { 'content-type': 'application/json' };
  return new Request(url, { method: 'POST', headers, body: Buffer.concat(parts) });
}

/** Bytes of the answer. */
async function askAt(origin: string): Promise<number> {
  const { url, headers, method } = requestTo('openai-chat', origin);
  const body = await requestTo('openai-chat', origin).text();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers: Object.fromEntries(headers), agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
  let bytes = 0;
  for await (const part of response) bytes += part.length;
  if (response.statusCode !== 200) throw new Error(`The answer was ${response.statusCode}.`);
  return bytes;
}
