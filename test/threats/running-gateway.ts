// A gateway on a socket in front of a scripted model, with everything enabled that could reveal a secret.

import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  configFromFlags,
  type Flags,
  type Gateway,
  type GatewayConfig,
  type LimitsConfig,
  serve,
  type UpstreamConfig,
} from '@dragoman/gateway';
import { createParser as createSseParser, type EventSourceMessage } from 'eventsource-parser';
import { close, listen } from '../scripted/text-model.js';
import { type Api, apis } from './three-apis.js';

export interface Settings {
  flags?: Flags;
  config?: Partial<GatewayConfig>;
  limits?: Partial<LimitsConfig>;
  upstream?: Partial<UpstreamConfig>;
}

export interface RunningGateway {
  readonly url: string;
  readonly port: number;
  readonly gateway: Gateway;
  /** Lines of the log. */
  readonly lines: string[];
  /** Sends the body of a request to one of the APIs, and gives the answer as a fetch response. */
  ask(api: Api, more?: object, init?: RequestInit): Promise<Response>;
  /**
   * Waits until no request is being answered; then all counters must agree on it. Gives how many exchanges the log has.
   */
  settled(): Promise<number>;
  close(): Promise<void>;
}

export function configOf(url: string, { flags, config, limits, upstream }: Settings = {}): GatewayConfig {
  const given = { upstream: url, kind: 'chat', dialect: 'hermes', port: 0, log: 'debug', inspect: 500 };
  const result = configFromFlags({ ...given, ...flags }, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const found = result.config;
  const upstreams = [...found.upstreams].map(([name, one]) => [name, { ...one, ...upstream }] as const);
  return {
    ...found,
    log: { level: 'debug', form: 'json' },
    shutdownSeconds: 0.05,
    upstreams: new Map(upstreams),
    limits: { ...found.limits, ...limits },
    ...config,
  };
}

export async function startGateway(url: string, settings: Settings = {}): Promise<RunningGateway> {
  const lines: string[] = [];
  const config = configOf(url, settings);
  const gateway = await serve(config, { write: (line) => lines.push(line) });
  const key = config.keys[0]?.key;
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    url: gateway.url,
    port: gateway.port,
    gateway,
    lines,
    ask: (api, more = {}, init = {}) =>
      fetch(`${gateway.url}${apis[api].path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...apis[api].body, ...more }),
        ...init,
      }),
    async settled() {
      await until(() => gateway.app.open === 0, 'an exchange is still open');
      // A request whose client has gone may still lie in a socket: it comes in, and is over soon.
      for (let tries = 0; ; tries++) {
        const metrics = await (await fetch(`${gateway.url}/metrics`, { headers })).text();
        const open = [...metrics.matchAll(/^dragoman_streams_open\S* (\S+)$/gm)].map(([, value]) => value);
        if (gateway.app.open === 0 && open.every((value) => value === '0')) break;
        if (tries > 2000) throw new Error(`streams are open: ${open}`);
        await wait(20);
      }
      const listed = await fetch(`${gateway.url}/inspector/exchanges`, { headers });
      const { exchanges } = (await listed.json()) as { exchanges: { id: string; open: boolean }[] };
      if (exchanges.some((one) => one.open)) throw new Error('the inspector shows an open exchange');
      const ids = lines.map((line) => JSON.parse(line).id).filter((id) => id !== undefined);
      if (new Set(ids).size !== ids.length) throw new Error('an exchange ended twice');
      if (ids.length < exchanges.length) throw new Error('an exchange ended without a word');
      return ids.length;
    },
    close: () => gateway.close(),
  };
}

export async function until(holds: () => boolean, what: string, time = 120_000): Promise<void> {
  const end = performance.now() + time;
  while (!holds()) {
    if (performance.now() > end) throw new Error(what);
    await wait(5);
  }
}

export async function eventsOf(response: Response): Promise<EventSourceMessage[]> {
  return eventsIn(await response.text());
}

export function eventsIn(text: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createSseParser({ onEvent: (event) => events.push(event) }).feed(text);
  return events;
}

export interface RawAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** A request with headers that a fetch would not send. */
export function rawRequest(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<RawAnswer> {
  return new Promise((tell, fail) => {
    const request = httpRequest(url, { method, headers, agent: false }, async (response) => {
      let text = '';
      for await (const piece of response.setEncoding('utf8')) text += piece;
      tell({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    request.on('error', fail).end(body);
  });
}

/** A connection, and what came over it so far. */
export class Wire {
  received = '';
  closed = false;

  constructor(readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      this.received += text;
    });
    socket
      .on('error', () => {})
      .on('close', () => {
        this.closed = true;
      });
  }

  static async open(port: number): Promise<Wire> {
    const socket = connect(port, '127.0.0.1');
    await new Promise((done) => socket.once('connect', done));
    return new Wire(socket);
  }

  /** The head and the body of a request to one of the APIs, and `connection: close`. */
  post(api: Api, more: object = {}): void {
    const body = JSON.stringify({ ...apis[api].body, ...more });
    const head = `POST ${apis[api].path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n`;
    this.socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
}

export interface Flood {
  readonly url: string;
  /** How often it was asked. */
  readonly asked: number;
  /** Bytes written in the newest answer. */
  readonly produced: number;
  /** Whether the client of the newest answer disconnected before its end. */
  readonly left: boolean;
  close(): Promise<void>;
}

/**
 * A model that writes as fast as it is read: `start` once, `piece` until `total` bytes are written, `end`. Asked for the
 * model `short`, it writes no piece.
 */
export async function startFlood(
  total: number,
  { start = '', piece = longPiece, end = goodEnd } = {},
): Promise<Flood> {
  let asked = 0;
  let newest = { produced: 0, left: false };
  const server = createServer(async (request, response) => {
    let isShort = false;
    request.on('data', (text: Buffer) => {
      isShort ||= text.includes('"model":"short"');
    });
    await new Promise((over) => request.on('close', over));
    const own = { produced: isShort ? total : 0, left: false };
    newest = own;
    asked++;
    response.on('close', () => {
      own.left = !response.writableEnded;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(start);
    while (own.produced < total && !response.destroyed) {
      own.produced += piece.length;
      if (!response.write(piece)) await drainOrClose(response);
    }
    response.end(end);
  });
  const url = `http://127.0.0.1:${await listen(server)}/v1`;
  return {
    url,
    get asked() {
      return asked;
    },
    get produced() {
      return newest.produced;
    },
    get left() {
      return newest.left;
    },
    close: () => close(server),
  };
}

const longPiece = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(16_000) } }] })}\n\n`;
const goodEnd = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

function drainOrClose(response: ServerResponse): Promise<void> {
  return new Promise((go) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      go();
    };
    response.on('drain', done).on('close', done);
  });
}
