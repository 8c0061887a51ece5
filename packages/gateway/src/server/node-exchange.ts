// A request and its answer on Node's own objects. The web's cost several times what a small answer costs, so they are
// made only for what is asked rarely.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Reply, type ReplyStream, tooLarge } from '@dragoman/core/bridge';
import type { App } from '../app/app.js';
import type { AppRequest } from '../app/app-request.js';

/** False if it is not for a model: someone else has to answer. */
export function answerOnNode(app: App, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const reply = app.answer(new NodeRequest(incoming, outgoing));
  reply?.then((made) => write(made, outgoing)).catch(() => outgoing.destroy());
  return reply !== undefined;
}

/** Whoever left: one reason for all, since making one costs a stack trace that nobody reads. */
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

/** Without the query. Clients that take this for a proxy send a whole address. */
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
  // One that broke off before anyone listened says so no more.
  if (incoming.destroyed) reject(LEFT);
}

function write({ status, headers, body }: Reply, outgoing: ServerResponse): void {
  if (typeof body !== 'string') {
    outgoing.writeHead(status, headers);
    void writeStream(body, outgoing);
    // The head goes with the first text, unless that is still to come: then it says that an answer is on its way.
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

/** Milliseconds that the rest of a body is still taken which nobody reads. */
const REST = 2000;

/**
 * The rest of a body that is too long. Nothing can follow it on its connection; but closed at once, a connection on
 * which more arrives takes the answer with it before the client has read it. So the rest is thrown away for a while.
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

/** As fast as the client reads, and no faster: what waits for it waits at the upstream. */
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
