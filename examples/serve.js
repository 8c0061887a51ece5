// The three APIs on an HTTP server of your own, with the library and node:http only.
//
//   npm run build && node examples/serve.js
//   curl http://127.0.0.1:8787/v1/chat/completions -d '{"model": "glm-4.5", "messages": [{"role": "user",
//     "content": "Weather in Paris?"}], "tools": [{"type": "function", "function": {"name": "get_weather"}}]}'
//
// With a model of your own: UPSTREAM=http://localhost:11434/v1 node examples/serve.js

import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createResponder } from '@dragoman/core/bridge';
import { pretendModel } from './pretend-model.js';

const { UPSTREAM, PORT = '8787' } = process.env;
const respond = createResponder({
  upstream: UPSTREAM ? { url: UPSTREAM } : pretendModel(),
  dialect: 'auto',
});

const server = createServer(async (incoming, outgoing) => {
  const leaving = new AbortController();
  outgoing.on('close', () => leaving.abort());
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    signal: leaving.signal,
  });
  try {
    const response = await respond(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) await pipeline(Readable.fromWeb(/** @type {any} */ (response.body)), outgoing);
    else outgoing.end();
  } catch {
    // The client has disconnected.
    outgoing.destroy();
  }
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`http://127.0.0.1:${address.port}/v1`);
});
