// What runs behind the gateway runs in a worker at the edge as well: bundled for a browser, in a context that has
// nothing of Node, with the web's own Request and Response.

import { builtinModules } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import { type RolldownBuild, rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './sources.js';

const core = ['bridge/index', 'wire/index', 'agent/index', 'adapters/fetch', 'adapters/ai-sdk'];
const entries = [...core.map((entry) => `core/dist/${entry}.js`), 'gateway/dist/app/index.js'];

/** Each entry is bundled once, however often it is asked for. */
const builds = new Map<string, Promise<RolldownBuild>>();
afterAll(async () => {
  for (const build of builds.values()) await (await build).close();
});

function buildOf(entry: string): Promise<RolldownBuild> {
  const build =
    builds.get(entry) ??
    rolldown({
      input: `${root}packages/${entry}`,
      platform: 'browser',
      external: ['@huggingface/jinja', /^node:/, ...builtinModules],
      logLevel: 'silent',
    });
  builds.set(entry, build);
  return build;
}

describe.each(entries)('the build of %s', (entry) => {
  it('imports nothing of Node', async () => {
    const { output } = await (await buildOf(entry)).generate({ format: 'esm' });
    const chunks = output.filter((file) => file.type === 'chunk');
    const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
    const ofNode = imports.filter((name) => name.startsWith('node:') || builtinModules.includes(name));
    expect(ofNode).toEqual([]);
    expect(chunks.reduce((sum, { code }) => sum + code.length, 0)).toBeGreaterThan(1000);
  });
});

/** What a worker has: the globals of the web, and no `process`, `Buffer` or `require`. */
const web = {
  AbortController,
  AbortSignal,
  crypto,
  DOMException,
  fetch,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  setTimeout,
  clearTimeout,
};

/** A build, alone in a context, as `dragoman`. */
async function workerOf(entry: string): Promise<object> {
  const build = await buildOf(entry);
  const { output } = await build.generate({ format: 'iife', name: 'dragoman', codeSplitting: false });
  const context = createContext({ ...web });
  runInContext(output[0].code, context);
  return context;
}

type Respond = (request: Request) => Promise<Response>;

/** A model that calls a tool, whatever it is asked. */
const caller = `{
  takes: 'messages', tools: false, media: false,
  async *ask() {
    yield { type: 'answer-start' };
    yield { type: 'text-delta', text: '<tool_call>f\\n<arg_key>a</arg_key>\\n<arg_value>1</arg_value>\\n</tool_call>' };
    yield { type: 'finish', reason: 'stop' };
  },
}`;

/** The whole gateway, with a file, a key and the demo model. */
const gateway = `(() => {
  const file = '{"host": "0.0.0.0", "keys": ["a-key-of-ours"], "upstream": "demo"}';
  const read = dragoman.parseConfig(file, { path: 'worker.json' });
  if (!read.ok) throw new Error(dragoman.formatProblems(read.problems));
  return dragoman.createApp(read.config, {
    log: { debug() {}, info() {}, warn() {}, error() {} },
    watcher: { begin: () => undefined },
    limiter: { take: async () => ({ ok: true }) },
    responses: dragoman.createResponses(undefined, 0),
  }).fetch;
})()`;

describe.each([
  {
    name: 'bridge',
    entry: 'core/dist/bridge/index.js',
    made: `dragoman.createResponder({ dialect: 'glm-4.5', upstream: ${caller} })`,
  },
  { name: 'gateway', entry: 'gateway/dist/app/index.js', made: gateway },
])('the $name in a worker without Node', ({ name, entry, made }) => {
  let respond: Respond;

  beforeAll(async () => {
    respond = runInContext(made, await workerOf(entry));
  });

  const ask = (more: object, headers = { authorization: 'Bearer a-key-of-ours' }) => {
    const tools = [
      { type: 'function', function: { name: 'f', parameters: { properties: { a: { type: 'integer' } } } } },
    ];
    const messages = [{ role: 'user', content: 'Call f with a = 1.' }];
    const body = JSON.stringify({ model: 'demo/glm-4.5', messages, tools, ...more });
    return respond(
      new Request('http://worker.invalid/v1/chat/completions', { method: 'POST', body, headers }),
    );
  };

  it.each([true, false])('answers, streamed: %s', async (stream) => {
    const response = await ask({ stream });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('"name":"f"');
    expect(text).toContain(stream ? 'data: [DONE]' : '"finish_reason":"tool_calls"');
  });

  if (name === 'gateway') {
    it('wants its key', async () => {
      expect((await ask({}, { authorization: 'Bearer of-someone-else' })).status).toBe(401);
    });
  }
});
