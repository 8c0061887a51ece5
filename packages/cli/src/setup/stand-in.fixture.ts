// A stand-in for Ollama: a server that lists models, and only writes text.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createResponder } from '@dragoman/core/bridge';
import { createDemoUpstream } from '@dragoman/demo';

/** The first makes no answers. */
const names = ['nomic-embed-text', 'demo', 'demo/hermes'];

/** Lists models as Ollama does, and answers as a model that only writes text. `key`: it refuses requests without it. */
export async function startStandIn({ key }: { key?: string } = {}): Promise<Server> {
  const respond = createResponder({ upstream: createDemoUpstream(), mode: 'native' });
  const models = names.map((id) => ({ id, object: 'model', owned_by: 'library' }));
  const server = createServer(async (request, response) => {
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`)
      return response.writeHead(401).end('{"error": {"message": "wrong key"}}');
    if (request.url === '/v1/models') return response.end(JSON.stringify({ object: 'list', data: models }));
    if (request.method !== 'POST') return response.writeHead(404).end('{}');
    const body = Buffer.concat(await request.toArray());
    const answer = await respond(new Request(`http://127.0.0.1${request.url}`, { method: 'POST', body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const piece of answer.body ?? []) response.write(piece);
    return response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}
