// The gateway without a server: a `fetch` for a worker. Models, keys and limits are configured as in a file.
//
//   npm run build && node examples/worker.js
//
// A worker brings its own log and rate limiter; these are the simplest ones.

import { fileURLToPath } from 'node:url';
import { createApp, createResponses, formatProblems, parseConfig } from '@dragoman/gateway/app';

// A worker is reachable from outside, so it needs keys. With a model of your own:
// "upstream": "https://models.example.com/v1".
const config = `{
  "host": "0.0.0.0",
  "keys": [{ "name": "me", "key": "\${GATEWAY_KEY}" }],
  "upstream": "demo"
}`;

/** @param {Record<string, string | undefined>} env */
function createGateway(env) {
  const read = parseConfig(config, { path: 'worker.json', env });
  if (!read.ok) throw new Error(formatProblems(read.problems));
  return createApp(read.config, {
    log: { debug() {}, info() {}, warn: console.warn, error: console.error },
    watcher: { begin: () => undefined },
    limiter: { take: async () => ({ ok: true }) },
    responses: createResponses(undefined, 0),
  });
}

/** @type {import('@dragoman/gateway/app').App | undefined} */
let app;

const worker = {
  /** @param {Request} request @param {Record<string, string | undefined>} env */
  fetch(request, env) {
    app ??= createGateway(env);
    return app.fetch(request);
  },
};

export default worker;

// Run directly, it sends itself a request.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const request = new Request('https://gateway.example.com/v1/messages', {
    method: 'POST',
    headers: { 'x-api-key': 'a-key-of-your-own' },
    body: JSON.stringify({
      model: 'demo/glm-4.5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'What is the weather in Beijing?' }],
      tools: [
        { name: 'get_weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } },
      ],
    }),
  });
  const response = await worker.fetch(request, { GATEWAY_KEY: 'a-key-of-your-own' });
  const answer = /** @type {any} */ (await response.json());
  for (const { type, name, input } of answer.content) if (type === 'tool_use') console.log(name, input);
}
