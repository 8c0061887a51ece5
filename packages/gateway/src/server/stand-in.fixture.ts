// Stand-ins of upstreams over HTTP, a gateway before them, and requests of every API.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { parseConfig } from '../config/parse-config.js';
import { type Gateway, serve } from './serve.js';

const open: (Server | Gateway)[] = [];

afterEach(async () => {
  await Promise.all(
    open
      .splice(0)
      .map((one) => new Promise((done) => void Promise.resolve(one.close(done as never)).then(done))),
  );
});

export interface Asked {
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies as an upstream sees them.
  body: any;
}

export type Answer = (asked: Asked, response: ServerResponse) => void;

export async function standIn(
  answer: Answer,
): Promise<{ url: string; asked: Asked[]; posts: () => Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (incoming: IncomingMessage, response) => {
    let text = '';
    for await (const piece of incoming) text += piece;
    const one = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
    asked.push(one);
    answer(one, response);
  });
  open.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, asked, posts: () => asked.filter(({ method }) => method === 'POST') };
}

export async function gatewayFor(
  upstream: Record<string, unknown>,
  more = {},
  detect = false,
  write?: (line: string) => void,
): Promise<Gateway> {
  const parsed = parseConfig(
    JSON.stringify({ port: 0, log: 'silent', upstream: { retries: 0, ...upstream }, ...more }),
  );
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  const gateway = await serve(parsed.config, { detect, ...(write && { write }) });
  open.push(gateway);
  return gateway;
}

export const json = (response: ServerResponse, value: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
};

export const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
export const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Streams this text, in pieces of three characters, as a model would. */
export const says = (response: ServerResponse, text: string) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let at = 0; at < text.length; at += 3) response.write(chunk(text.slice(at, at + 3)));
  response.end(last);
};

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
export const apis = {
  '/v1/chat/completions': {
    messages: [{ role: 'user', content: 'Weather in Rome?' }],
    tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
  },
  '/v1/responses': {
    input: 'Weather in Rome?',
    tools: [{ type: 'function', name: 'get_weather', parameters }],
  },
  '/v1/messages': {
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Weather in Rome?' }],
    tools: [{ name: 'get_weather', input_schema: parameters }],
  },
};

export const ways = Object.keys(apis).flatMap((path) =>
  [true, false].map((stream) => [path as keyof typeof apis, stream] as const),
);

export async function ask(gateway: Gateway, path: keyof typeof apis, stream: boolean, more = {}) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', ...apis[path], stream, ...more }),
  });
  return { status: response.status, text: await response.text() };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies as a client sees them.
export const read = async (response: Response): Promise<any> => response.json();
