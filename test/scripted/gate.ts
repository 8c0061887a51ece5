// Serves the library over HTTP, for clients that need an address: node:http on one side, web Request and Response on the
// other. Backpressure and disconnects pass through.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { close, listen } from './text-model.js';

export interface Gate {
  /** The address without `/v1`. */
  readonly url: string;
  close(): Promise<void>;
}

export type Responder = (request: Request) => Promise<Response>;

export async function openGate(respond: Responder): Promise<Gate> {
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing, respond));
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, respond: Responder): Promise<void> {
  const leaving = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableEnded) leaving.abort();
  });
  try {
    const response = await respond(await toRequest(incoming, leaving.signal));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body) await pour(response.body, outgoing);
    outgoing.end();
  } catch (error) {
    // A responder never throws, and a body that breaks off must not look complete.
    if (!leaving.signal.aborted) console.error(error);
    outgoing.destroy();
  }
}

async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value));
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const method = incoming.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  return new Request(`http://${incoming.headers.host}${incoming.url}`, { method, headers, body, signal });
}

/** Reads only as fast as the client does (backpressure), and stops when it disconnects. */
async function pour(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  outgoing.on('close', () => {
    if (!outgoing.writableEnded) void reader.cancel().catch(() => {});
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (!outgoing.write(value)) await writable(outgoing);
  }
}

function writable(outgoing: ServerResponse): Promise<void> {
  return new Promise((go) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      go();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
