// Serves a request on Node's own request and response objects. Web objects cost several times as much as a small answer,
// so they are made only for rare routes.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply, ReplyStream } from '@dragoman/core/bridge';
import type { App } from '../app/app.js';
import type { AppRequest } from '../app/app-request.js';
import { inTurn, laterTurn, pauseWhenOver } from './fair-turns.js';
import type { StalledStreams } from './stalled-streams.js';
import { decodeUtf8 } from './utf8.js';

/** False if the request is not for a model: the caller has to answer it. */
export function answerOnNode(
  app: App,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stalled: StalledStreams,
): boolean {
  const reply = app.answer(new NodeRequest(incoming, outgoing));
  reply?.then((made) => write(made, outgoing, stalled)).catch(() => outgoing.destroy());
  return reply !== undefined;
}

/** The abort reason when a client disconnects. Shared, because creating an error costs a stack trace. */
const LEFT = new DOMException('The client has left.', 'AbortError');

class NodeRequest implements AppRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly decode = decodeUtf8;
  readonly pause = laterTurn;

  constructor(
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
  ) {
    const { method = 'GET', url = '/' } = incoming;
    this.method = method;
    const target = targetOf(url);
    this.path = target.path;
    this.search = target.search;
  }

  readonly header = (name: string): string | null => {
    const value = this.incoming.headers[name];
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
  };

  get address(): string | undefined {
    return this.incoming.socket.remoteAddress;
  }

  headers(): Record<string, string> {
    const named = Object.keys(this.incoming.headers).map((name) => [name, this.header(name) ?? ''] as const);
    return Object.fromEntries(named);
  }

  pieces(take: (piece: Uint8Array) => void): Promise<void> {
    return new Promise((resolve, reject) => readPieces(this.incoming, take, resolve, reject));
  }

  onLeave(leave: (reason: unknown) => void): void {
    const { outgoing } = this;
    if (outgoing.destroyed) leave(LEFT);
    else
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) leave(LEFT);
      });
  }
}

/** The path and the query. Clients that use this server as a proxy send an absolute URL. */
function targetOf(target: string): { path: string; search: string } {
  if (!target.startsWith('/') && URL.canParse(target)) {
    const { pathname, search } = new URL(target);
    return { path: pathname, search };
  }
  const query = target.indexOf('?');
  if (query < 0) return { path: target, search: '' };
  return { path: target.slice(0, query), search: target.slice(query) };
}

function readPieces(
  incoming: IncomingMessage,
  take: (piece: Uint8Array) => void,
  resolve: () => void,
  reject: (error: unknown) => void,
): void {
  let isFirst = true;
  incoming.on('data', (piece: Buffer) => {
    try {
      take(piece);
    } catch (error) {
      incoming.pause().removeAllListeners('data');
      reject(error);
      return;
    }
    // Most bodies are one piece.
    if (!isFirst) pauseWhenOver(incoming);
    isFirst = false;
  });
  incoming.on('end', () => inTurn(resolve));
  incoming.on('error', reject);
  // A request that broke off before this listener was added emits no further event.
  if (incoming.destroyed) reject(LEFT);
}

function write({ status, headers, body }: Reply, outgoing: ServerResponse, stalled: StalledStreams): void {
  if (typeof body !== 'string') {
    outgoing.writeHead(status, headers);
    void writeStream(body, outgoing, stalled);
    // Headers go out with the first piece of text; if that is not there yet, they are flushed now.
    setImmediate(flushHead, outgoing);
    return;
  }
  if (status !== 204) headers['content-length'] = String(Buffer.byteLength(body));
  const { req } = outgoing;
  // A body that was refused while it arrived is paused.
  if (req.complete || (status !== 413 && !req.isPaused())) {
    outgoing.writeHead(status, headers).end(body);
    stalled.addEnded(outgoing);
    return;
  }
  outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, headers).write(body);
  endBehind(req, outgoing);
}

/** Milliseconds for which the rest of an oversized body is discarded. */
const REST = 2000;

/**
 * Discards the rest of an oversized body for a while. Closing at once would reset the connection while data still
 * arrives, and the client would lose the answer before reading it.
 */
function endBehind(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const timer = setTimeout(() => outgoing.end(), REST);
  incoming.once('close', () => {
    clearTimeout(timer);
    outgoing.end();
  });
  incoming.resume();
}

function flushHead(outgoing: ServerResponse): void {
  if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.flushHeaders();
}

/** Writes with backpressure: no faster than the client reads, so that the rest stays at the upstream. */
async function writeStream(
  stream: ReplyStream,
  outgoing: ServerResponse,
  stalled: StalledStreams,
): Promise<void> {
  try {
    for (let text = await stream.next(); text !== undefined; text = await stream.next()) {
      if (outgoing.destroyed) return;
      if (outgoing.write(text)) continue;
      stalled.add(outgoing, stream.held);
      await drained(outgoing);
      stalled.remove(outgoing);
    }
    outgoing.end();
    stalled.addEnded(outgoing);
  } catch {
    outgoing.destroy();
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go).off('close', go);
      resolve();
    };
    outgoing.on('drain', go).on('close', go);
  });
}
