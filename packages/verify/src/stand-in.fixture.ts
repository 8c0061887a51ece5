// A right endpoint over HTTP (the demo model behind the bridge), and a proxy in front of it that injects one fault.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnswerEvent, ModelRequest } from '@dragoman/core';
import { collectAnswer, createResponder } from '@dragoman/core/bridge';
import { routeAt, routesOf, type Wire, wires } from '@dragoman/core/wire';
import { createDemoUpstream } from '@dragoman/demo';

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

async function listen(server: Server): Promise<HttpServer> {
  // A connection that idles while the machine is busy stays open.
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'demo', object: 'model' }] });

/** The demo model, as `dragoman serve --demo` serves it, without its pauses. */
export function serveDemo(): Promise<HttpServer> {
  const respond = createResponder({ upstream: createDemoUpstream({ delay: 0 }) });
  return listen(
    createServer(async (request, response) => {
      const body = await bodyOf(request);
      if (request.url?.endsWith('/models'))
        return void response.setHeader('content-type', 'application/json').end(MODELS);
      const answer = await respond(
        new Request(`http://in.process${request.url}`, {
          method: request.method ?? 'GET',
          headers: { 'content-type': 'application/json' },
          ...(request.method === 'POST' && { body }),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    }),
  );
}

/** What is wrong with an endpoint. Absent members: nothing. */
export interface Fault {
  /** Changes the request, or refuses it. */
  request?(request: ModelRequest): ModelRequest | Refusal;
  /** Changes the answer. */
  events?(events: AnswerEvent[], request: ModelRequest): AnswerEvent[];
  /** Changes the JSON of an event or of a whole answer. Undefined: the event is left out. */
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of any API
  json?(value: any, streamed: boolean): unknown;
  /** Changes the text of the answer. */
  text?(text: string, streamed: boolean): string;
  /** Changes an error, or the list of models. */
  other?(status: number, body: string, path: string): { status: number; body: string; type?: string };
  /** Streams are answered as a whole. */
  neverStreams?: boolean;
}

interface Refusal {
  status: number;
  message: string;
}

/** A proxy in front of `target`. */
export function serveFault(target: string, fault: Fault): Promise<HttpServer> {
  const routes = routesOf(wires);
  return listen(
    createServer(async (request, response) => {
      const body = await bodyOf(request);
      const route = routeAt(request.url ?? '', routes);
      const path = (request.url ?? '').replace('/v1', '');
      if (!route || request.method !== 'POST') {
        const answer = await fetch(target + path);
        return send(response, fault, answer.status, await answer.text(), path);
      }
      await proxy(target, fault, route.wire, body, response).catch((error) => {
        response.writeHead(500).end(String(error));
      });
    }),
  );
}

function send(response: ServerResponse, fault: Fault, status: number, body: string, path: string): void {
  const changed = { status, body, type: 'application/json', ...fault.other?.(status, body, path) };
  response.writeHead(changed.status, { 'content-type': changed.type }).end(changed.body);
}

async function proxy(
  target: string,
  fault: Fault,
  wire: Wire,
  body: string,
  response: ServerResponse,
): Promise<void> {
  let request: ModelRequest | undefined;
  try {
    request = wire.decodeRequest(JSON.parse(body));
  } catch {
    // A bad request goes on as it is: the endpoint refuses it.
  }
  const changed = request && (fault.request?.(request) ?? request);
  if (changed && 'status' in changed) {
    const { status, message } = changed;
    return void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ type: 'error', error: { type: 'api_error', message } }));
  }
  const sent = changed ? JSON.stringify(wire.encodeRequest(changed)) : body;
  const answer = await fetch(target + wire.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: sent,
  });
  const text = await answer.text();
  if (!answer.ok || !changed) return send(response, fault, answer.status, text, wire.path);
  const streamed = changed.stream && !fault.neverStreams;
  const written = await rewrite(text, wire, changed, fault, streamed);
  response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' });
  for (const piece of streamed ? written.split(/(?<=\n\n)/) : [written]) response.write(piece);
  response.end();
}

async function rewrite(
  text: string,
  wire: Wire,
  request: ModelRequest,
  fault: Fault,
  streamed: boolean,
): Promise<string> {
  const given = fault.events ? await refit(text, wire, request, fault, streamed) : text;
  const shown = fault.json ? (streamed ? eachEvent(given, fault) : eachBody(given, fault)) : given;
  return fault.text?.(shown, streamed) ?? shown;
}

async function refit(
  text: string,
  wire: Wire,
  request: ModelRequest,
  fault: Fault,
  streamed: boolean,
): Promise<string> {
  let count = 0;
  const decoder = wire.createStreamDecoder();
  const decoded = request.stream
    ? [...decoder.feed(text), ...decoder.finish()]
    : wire.decodeResponse(JSON.parse(text));
  const events = fault.events?.(decoded, request) ?? decoded;
  const context = { request, newId: (prefix: string) => `${prefix}${++count}`, report: false };
  if (!streamed) {
    const answer = await collectAnswer(asyncOf(events));
    return JSON.stringify(wire.encodeResponse(answer, context));
  }
  const encoder = wire.createStreamEncoder(context);
  return events.map((event) => encoder.encode(event)).join('') + encoder.end();
}

async function* asyncOf(events: AnswerEvent[]): AsyncGenerator<AnswerEvent> {
  yield* events;
}

function eachEvent(text: string, fault: Fault): string {
  return text
    .split(/(?<=\n\n)/)
    .map((frame) => {
      const [, head = '', data] = /^((?:event: .*\n)?data: )(\{.*\})\n\n$/s.exec(frame) ?? [];
      if (data === undefined) return frame;
      const value = fault.json?.(JSON.parse(data), true);
      return value === undefined ? '' : `${head}${JSON.stringify(value)}\n\n`;
    })
    .join('');
}

function eachBody(text: string, fault: Fault): string {
  return JSON.stringify(fault.json?.(JSON.parse(text), false));
}
