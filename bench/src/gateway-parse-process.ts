// node gateway-parse-process.js <upstream>: a bare proxy that parses what it passes on: the request and each event of
// the answer are parsed and written anew. It serves with node:http and calls the upstream with undici's `request`, as
// the gateway does: calls with node:http would cost more, and make the gateway look cheap.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParser } from 'eventsource-parser';
import { type Dispatcher, Pool } from 'undici';
import { answerParent, listen } from './gateway-process.js';

const pool = new Pool(process.argv[2] ?? '', { connections: null, headersTimeout: 0, bodyTimeout: 0 });

async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  const aborter = new AbortController();
  response.on('close', () => aborter.abort());
  const body = JSON.stringify(JSON.parse(await textOf(asked)));
  const got = await pool.request({
    path: asked.url ?? '/',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: aborter.signal,
  });
  const type = String(got.headers['content-type']);
  response.writeHead(got.statusCode, { 'content-type': type });
  if (type === 'text/event-stream') passEvents(got.body, response);
  else response.end(JSON.stringify(JSON.parse(await textOf(got.body))));
}

function passEvents(body: Dispatcher.ResponseData['body'], response: ServerResponse): void {
  const utf8 = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      response.write(`data: ${data === '[DONE]' ? data : JSON.stringify(JSON.parse(data))}\n\n`);
    },
  });
  body.on('data', (piece: Buffer) => parser.feed(utf8.decode(piece, { stream: true })));
  body.on('end', () => response.end());
  body.on('error', () => response.destroy());
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

answerParent(await listen((asked, response) => void answer(asked, response).catch(() => response.destroy())));
