// A scripted text model: a real server on loopback with OpenAI's chat completions and completions, which records its
// requests and fails in the ways servers fail.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Asked, type Reply, refusals, type TextApi, toBody, toEvents } from './reply.js';

/** The members of a request that scripts look at. */
export interface ModelBody extends Asked {
  messages?: { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }[];
  prompt?: string;
  [member: string]: unknown;
}

/** One reply, or a function that makes it from the request. */
export type ScriptedReply = Reply | string | ((body: ModelBody) => Reply | string);

/** One request that the model got. */
interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: ModelBody;
  /** When the client disconnected before the answer was over, by `performance.now()`. */
  leftAt: number | undefined;
  /** Settles when the exchange is over: `true` if the client disconnected. */
  over: Promise<boolean>;
}

export interface TextModel {
  /** The address including `/v1`. */
  readonly url: string;
  /** The requests since the last script. */
  readonly requests: SeenRequest[];
  /** Begins a new script and drops the recorded requests. After its last reply the model answers 500. */
  script(...replies: ScriptedReply[]): void;
  /** Settles when request `at` (from 0) has arrived. */
  arrived(at: number): Promise<SeenRequest>;
  close(): Promise<void>;
}

const routes: Record<string, TextApi> = {
  '/v1/chat/completions': 'chat',
  '/v1/completions': 'completions',
};

export async function startTextModel(...replies: ScriptedReply[]): Promise<TextModel> {
  let script = replies;
  let next = 0;
  let requests: SeenRequest[] = [];
  let waiting: { at: number; tell(request: SeenRequest): void }[] = [];

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const api = Object.hasOwn(routes, request.url ?? '') ? routes[request.url ?? ''] : undefined;
    const seen = notice(request, response, body);
    requests.push(seen);
    for (const one of waiting) if (requests[one.at]) one.tell(requests[one.at] as SeenRequest);
    if (api === undefined) return refuse(response, 404, `no route ${request.url}`);
    const scripted = script[next++];
    if (scripted === undefined) return refuse(response, 500, 'the script is over');
    const made = typeof scripted === 'function' ? scripted(body) : scripted;
    await answer(response, typeof made === 'string' ? { text: made } : made, api, body);
  });
  const port = await listen(server);

  return {
    url: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return requests;
    },
    script(...replies) {
      script = replies;
      next = 0;
      requests = [];
      waiting = [];
    },
    arrived(at) {
      const there = requests[at];
      if (there) return Promise.resolve(there);
      return new Promise((tell) => waiting.push({ at, tell }));
    },
    close: () => close(server),
  };
}

export async function listen(server: Server): Promise<number> {
  // On a busy machine a client may use a connection just when the server closes it, and is told by a reset.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

export function close(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeAllConnections();
  return closed;
}

async function readBody(request: IncomingMessage): Promise<ModelBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as ModelBody);
}

function notice(request: IncomingMessage, response: ServerResponse, body: ModelBody): SeenRequest {
  let tell: (left: boolean) => void;
  const over = new Promise<boolean>((resolve) => {
    tell = resolve;
  });
  const seen: SeenRequest = {
    path: request.url ?? '',
    headers: request.headers,
    body,
    leftAt: undefined,
    over,
  };
  // After `end` the model was done. A reset by the script is not the client's doing either.
  response.on('close', () => {
    const left = !response.writableEnded && !request.socket.resetByScript;
    if (left) seen.leftAt = performance.now();
    tell(left);
  });
  return seen;
}

declare module 'node:net' {
  interface Socket {
    /** The script broke this connection, not the client. */
    resetByScript?: boolean;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, JSON.stringify({ error: { message, type: 'scripted', code: null } }));
}

function send(response: ServerResponse, status: number, body: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Sends a fault that replaces the whole answer; else the answer, whole or in pieces. */
async function answer(response: ServerResponse, reply: Reply, api: TextApi, asked: Asked): Promise<void> {
  const { fault } = reply;
  switch (fault?.type) {
    case 'no-answer':
      return;
    case 'html':
      return send(response, 200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' });
    case 'status':
      return send(response, fault.status, fault.body, fault.headers);
    case 'redirect':
      return send(response, 307, '', { location: fault.location });
    case 'refuse-tools':
      if (!asked.tools?.length) break;
      return send(response, refusals[fault.by].status, refusals[fault.by].body);
  }
  if (asked.stream) await stream(response, reply, toEvents(reply, api, asked));
  else await whole(response, reply, JSON.stringify(toBody(reply, api, asked)));
}

async function whole(response: ServerResponse, reply: Reply, body: string): Promise<void> {
  const { fault, delay = 0 } = reply;
  if (delay > 0) await wait(delay);
  response.writeHead(200, { 'content-type': 'application/json' });
  const half = body.slice(0, body.length >> 1);
  if (fault?.type === 'one-byte') await writeBytes(response, body);
  else if (fault?.type === 'bad-line') response.write('{ this is no JSON');
  else if (fault && 'after' in fault) response.write(half);
  else response.write(body);
  if (fault?.type === 'silence') return;
  if (fault?.type === 'reset') return reset(response);
  response.end();
}

async function stream(response: ServerResponse, reply: Reply, events: string[]): Promise<void> {
  const { fault, delay = 0 } = reply;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const good = fault && 'after' in fault ? events.slice(0, fault.after) : events;
  for (const event of good) {
    if (delay > 0) await wait(delay);
    if (response.destroyed) return;
    if (fault?.type === 'one-byte') await writeBytes(response, event);
    else if (!response.write(event)) await drained(response);
  }
  if (fault?.type === 'silence') return;
  if (fault?.type === 'half-event') {
    const next = events[fault.after] ?? '';
    response.write(next.slice(0, next.length >> 1));
  }
  if (fault?.type === 'bad-line') response.write('data: {"choices":[{"delta":{"con\n\n');
  if (fault?.type === 'error-event')
    response.write(`data: ${JSON.stringify({ error: { message: fault.message, code: 500 } })}\n\n`);
  if (fault?.type === 'reset') return reset(response);
  response.end();
}

/** What was written arrives; then the connection breaks. */
async function reset(response: ServerResponse): Promise<void> {
  await wait(5);
  const { socket } = response;
  if (!socket) return;
  socket.resetByScript = true;
  socket.resetAndDestroy();
}

async function writeBytes(response: ServerResponse, text: string): Promise<void> {
  for (const byte of Buffer.from(text)) {
    if (!response.write(Uint8Array.of(byte))) await drained(response);
    // Else the bytes would leave the socket together.
    await new Promise((next) => setImmediate(next));
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((go) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      go();
    };
    response.on('drain', done).on('close', done);
  });
}
