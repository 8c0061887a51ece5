// A right endpoint (the demo model behind the bridge), and the same with one fault: in this process, and over HTTP.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnswerEvent, ModelRequest } from '@dragoman/core';
import { collectAnswer, createResponder } from '@dragoman/core/bridge';
import { routeAt, routesOf, type Wire, wires } from '@dragoman/core/wire';
import { createDemoUpstream } from '@dragoman/demo';
import type { FetchFunction } from './endpoint.js';

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

/** An endpoint in this process over HTTP. */
function serve(endpoint: FetchFunction): Promise<HttpServer> {
  return listen(
    createServer(async (request, response) => {
      const body = await bodyOf(request);
      const method = request.method ?? 'GET';
      const init = { method, ...(method === 'POST' && { body }) };
      const answer = await endpoint(`http://in.process${request.url}`, init);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    }),
  );
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'demo', object: 'model' }] });
const respond = createResponder({ upstream: createDemoUpstream({ delay: 0, pieces: 16 }) });
/** The demo model gives the same answer to the same request: one is enough for all faults. */
const known = new Map<string, Promise<[status: number, type: string, text: string]>>();

/** The demo model, as `dragoman serve --demo` serves it, without its pauses and in this process. */
export const askDemo: FetchFunction = async (url, { method, body }) => {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/models')) return new Response(MODELS, { headers: JSON_TYPE });
  const key = `${method} ${pathname} ${body}`;
  const answer = known.get(key) ?? firstAnswer(pathname, method, body);
  known.set(key, answer);
  const [status, type, text] = await answer;
  return responseOf(status, type, text);
};

async function firstAnswer(
  pathname: string,
  method: string | undefined,
  body: RequestInit['body'],
): Promise<[number, string, string]> {
  const init = {
    method: method ?? 'GET',
    headers: JSON_TYPE,
    ...(method === 'POST' && { body: body ?? '' }),
  };
  const answer = await respond(new Request(`http://in.process${pathname}`, init));
  return [answer.status, answer.headers.get('content-type') ?? '', await answer.text()];
}

/** A stream comes event by event. */
function responseOf(status: number, type: string, text: string): Response {
  const utf8 = new TextEncoder();
  const pieces = type.includes('event-stream') ? text.split(/(?<=\n\n)/) : [text];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(utf8.encode(piece));
      controller.close();
    },
  });
  return new Response(body, { status, headers: { 'content-type': type } });
}

export const serveDemo = (): Promise<HttpServer> => serve(askDemo);
export const serveFault = (fault: Fault): Promise<HttpServer> => serve(faulty(fault));

/** What is wrong with an endpoint. Absent members: nothing. */
export interface Fault {
  /** Changes the request, or refuses it. */
  request?(request: ModelRequest): ModelRequest | Refusal;
  /** Changes the answer. */
  events?(events: AnswerEvent[], request: ModelRequest): AnswerEvent[];
  /** Changes the JSON of an event or of a whole answer. Undefined: the event is left out. */
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of any API
  json?(value: any, streamed: boolean, request: ModelRequest): unknown;
  /** Changes the text of the answer. */
  text?(text: string, streamed: boolean, request: ModelRequest): string;
  /** Changes an error, or the list of models. */
  other?(status: number, body: string, path: string): { status: number; body: string; type?: string };
  /** Streams are answered as a whole. */
  neverStreams?: boolean;
  /** The media type of every answer. */
  type?: string;
}

interface Refusal {
  status: number;
  message: string;
}

/** The demo model with one fault. */
export function faulty(fault: Fault): FetchFunction {
  const routes = routesOf(wires);
  return async (url, init) => {
    const { pathname } = new URL(url);
    const route = routeAt(pathname, routes);
    if (route && init.method === 'POST') return answerOf(fault, route.wire, url, String(init.body));
    const answer = await askDemo(url, init);
    return other(fault, answer.status, await answer.text(), pathname.replace('/v1', ''));
  };
}

function other(fault: Fault, status: number, body: string, path: string): Response {
  const changed = { status, body, type: 'application/json', ...fault.other?.(status, body, path) };
  return responseOf(changed.status, changed.type, changed.body);
}

async function answerOf(fault: Fault, wire: Wire, url: string, body: string): Promise<Response> {
  const request = requestIn(body, wire);
  const changed = request && (fault.request?.(request) ?? request);
  if (changed && 'status' in changed) {
    const { status, message } = changed;
    return Response.json({ type: 'error', error: { type: 'api_error', message } }, { status });
  }
  const sent = changed && fault.request ? JSON.stringify(wire.encodeRequest(changed)) : body;
  const answer = await askDemo(url, { method: 'POST', body: sent });
  const text = await answer.text();
  if (!answer.ok || !changed) return other(fault, answer.status, text, wire.path);
  const streamed = changed.stream && !fault.neverStreams;
  const written = await rewrite(text, wire, changed, fault, streamed);
  return responseOf(200, fault.type ?? (streamed ? 'text/event-stream' : 'application/json'), written);
}

/** The same requests come with every fault: each is read once. */
const requests = new Map<string, ModelRequest | undefined>();

/** A copy, which faults know a request by. Undefined: a bad request goes on as it is, and the endpoint refuses it. */
function requestIn(body: string, wire: Wire): ModelRequest | undefined {
  const key = `${wire.name} ${body}`;
  if (!requests.has(key)) requests.set(key, readRequest(body, wire));
  const request = requests.get(key);
  return request && { ...request };
}

function readRequest(body: string, wire: Wire): ModelRequest | undefined {
  try {
    return wire.decodeRequest(JSON.parse(body));
  } catch {
    return undefined;
  }
}

async function rewrite(
  text: string,
  wire: Wire,
  request: ModelRequest,
  fault: Fault,
  streamed: boolean,
): Promise<string> {
  const given = fault.events ? await refit(text, wire, request, fault, streamed) : text;
  const each = streamed ? eachEvent : eachBody;
  const shown = fault.json ? each(given, fault, request) : given;
  return fault.text?.(shown, streamed, request) ?? shown;
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

/** A list is several events. */
function eachEvent(text: string, fault: Fault, request: ModelRequest): string {
  return text
    .split(/(?<=\n\n)/)
    .map((frame) => {
      const [, head = '', data] = /^((?:event: .*\n)?data: )(\{.*\})\n\n$/s.exec(frame) ?? [];
      if (data === undefined) return frame;
      const value = fault.json?.(JSON.parse(data), true, request);
      const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
      return values.map((one) => `${head}${JSON.stringify(one)}\n\n`).join('');
    })
    .join('');
}

function eachBody(text: string, fault: Fault, request: ModelRequest): string {
  return JSON.stringify(fault.json?.(JSON.parse(text), false, request));
}
