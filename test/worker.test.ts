// What runs behind the gateway runs in a worker at the edge as well: bundled for a browser, in a context that has
// nothing of Node, with the web's own Request and Response.

import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleCore } from '../bench/src/bundle.js';
import { root } from './sources.js';

const entries = ['bridge/index', 'wire/index', 'agent/index', 'adapters/fetch', 'adapters/ai-sdk'];

describe.each(entries)('the build of %s', (entry) => {
  it('imports nothing of Node', async () => {
    const { builtins, core } = await bundleCore(`${root}packages/core/dist/${entry}.js`);
    expect(builtins).toEqual([]);
    expect(core.raw).toBeGreaterThan(1000);
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

describe('a worker without Node', () => {
  let respond: (request: Request) => Promise<Response>;

  beforeAll(async () => {
    const build = await rolldown({
      input: `${root}packages/core/dist/bridge/index.js`,
      platform: 'browser',
      external: ['@huggingface/jinja'],
      logLevel: 'silent',
    });
    const { output } = await build.generate({ format: 'iife', name: 'dragoman', codeSplitting: false });
    await build.close();
    const context = createContext({ ...web });
    runInContext(output[0].code, context);
    respond = runInContext(
      `dragoman.createResponder({
        dialect: 'glm-4.5',
        upstream: {
          takes: 'messages', tools: false, media: false,
          async *ask() {
            yield { type: 'answer-start' };
            yield { type: 'text-delta', text: '<tool_call>f\\n<arg_key>a</arg_key>\\n<arg_value>1</arg_value>\\n</tool_call>' };
            yield { type: 'finish', reason: 'stop' };
          },
        },
      })`,
      context,
    );
  });

  it.each([true, false])('answers, streamed: %s', async (stream) => {
    const tools = [
      { type: 'function', function: { name: 'f', parameters: { properties: { a: { type: 'integer' } } } } },
    ];
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Go.' }], tools, stream });
    const response = await respond(
      new Request('http://worker.invalid/v1/chat/completions', { method: 'POST', body }),
    );
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('"name":"f"');
    expect(text).toContain(stream ? 'data: [DONE]' : '"finish_reason":"tool_calls"');
  });
});
