// Serves a request on Node's own request and response objects. Web objects cost several times as much as a small answer,
// so they are made only for rare routes.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Reply, type ReplyStream, tooLarge } from '@dragoman/core/bridge';
import type { App } from '../app/app.js';
import type { AppRequest } from '../app/app-request.js';

/** False if the request is not for a model: the caller has to answer it. */
export function answerOnNode(app: App, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const reply = app.answer(new NodeRequest(incoming, outgoing));
  reply?.then((made) => write(made, outgoing)).catch(() => outgoing.destroy());
  return reply !== undefined;
}

/** The abort reason when a client disconnects. Shared, because creating an error costs a stack trace. */
const LEFT = new DOMException('The client has left.', 'AbortError');

class NodeRequest implements AppRequest {
  readonly method: string;
  readonly path: string;

  constructor(
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
  ) {
    const { method = 'GET', url = '/' } = incoming;
    this.method = method;
    this.path = pathOf(url);
  }

  readonly header = (name: string): string | null => {
    const value = this.incoming.headers[name];
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
  };

  text(most: number): Promise<string> {
    if (Number(this.header('content-length')) > most) return Promise.reject(tooLarge(most));
    return new Promise((resolve, reject) => readAll(this.incoming, most, resolve, reject));
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

/** The path without the query. Clients that use this server as a proxy send an absolute URL. */
function pathOf(target: string): string {
  if (!target.startsWith('/') && URL.canParse(target)) return new URL(target).pathname;
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

const utf8 = new TextDecoder();

function readAll(
  incoming: IncomingMessage,
  most: number,
  resolve: (text: string) => void,
  reject: (error: unknown) => void,
): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  incoming.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > most) {
      incoming.pause().removeAllListeners('data');
      reject(tooLarge(most));
    } else pieces.push(piece);
  });
  incoming.on('end', () => resolve(utf8.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))));
  incoming.on('error', reject);
  // A request that broke off before this listener was added emits no further event.
  if (incoming.destroyed) reject(LEFT);
}

function write({ status, headers, body }: Reply, outgoing: ServerResponse): void {
  if (typeof body !== 'string') {
    outgoing.writeHead(status, headers);
    void writeStream(body, outgoing);
    // Headers go out with the first piece of text; if that is not there yet, they are flushed now.
    setImmediate(flushHead, outgoing);
    return;
  }
  if (status !== 204) headers['content-length'] = String(Buffer.byteLength(body));
  if (status !== 413 || outgoing.req.complete) {
    outgoing.writeHead(status, headers).end(body);
    return;
  }
  outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, headers).write(body);
  endBehind(outgoing.req, outgoing);
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
async function writeStream(stream: ReplyStream, outgoing: ServerResponse): Promise<void> {
  try {
    for (let text = await stream.next(); text !== undefined; text = await stream.next()) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(text)) await drained(outgoing);
    }
    outgoing.end();
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
