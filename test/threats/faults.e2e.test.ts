// Faults between the bridge and a model, or between the bridge and a client: the rows "Faults" of the threats that need
// no gateway. The upstream is a real server on loopback.

import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createResponder, type ResponderOptions, type UpstreamOptions } from '@dragoman/core/bridge';
import { createParser as createSseParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFull } from '../effort.js';
import type { Fault } from '../scripted/reply.js';
import { close, listen, startTextModel, type TextModel } from '../scripted/text-model.js';
import { type Api, apiNames, apis, call } from './three-apis.js';

let model: TextModel;
beforeAll(async () => {
  model = await startTextModel();
});
afterAll(() => model.close());

function responder(upstream: Partial<UpstreamOptions> = {}, options: Partial<ResponderOptions> = {}) {
  return createResponder({
    upstream: { url: model.url, tools: false, retryDelay: 1, ...upstream },
    dialect: 'hermes',
    ...options,
  });
}

function ask(api: Api, stream: boolean, signal?: AbortSignal, more: object = {}): Request {
  return new Request(`http://test.invalid${apis[api].path}`, {
    method: 'POST',
    body: JSON.stringify({ ...apis[api].body, stream, ...more }),
    ...(signal && { signal }),
  });
}

async function eventsOf(response: Response): Promise<EventSourceMessage[]> {
  const events: EventSourceMessage[] = [];
  const parser = createSseParser({ onEvent: (event) => events.push(event) });
  parser.feed(await response.text());
  return events;
}

describe.each(apiNames)('L16: an upstream that fails after the first byte, over %s', (api) => {
  const faults: Fault[] = [
    { type: 'reset', after: 3 },
    { type: 'end', after: 3 },
    { type: 'half-event', after: 3 },
    { type: 'bad-line', after: 3 },
    { type: 'error-event', after: 3, message: 'out of memory' },
    { type: 'silence', after: 3 },
  ];

  it.each(faults)('$type: an error in the stream, then the end', async (fault) => {
    model.script({ text: `Let me see. ${call}`, fault });
    const response = await responder({ timeouts: { idle: 100 } })(ask(api, true));
    expect(response.status).toBe(200);
    const events = await eventsOf(response);
    expect(apis[api].fails(events)).toBe(true);
    expect(apis[api].ends(events)).toBe(false);
    expect(JSON.stringify(events)).not.toContain('tool_use"');
    expect(model.requests).toHaveLength(1);
  });

  it.each(faults)('$type: an error with a status where nothing is streamed', async (fault) => {
    model.script({ text: call, fault });
    const response = await responder({ timeouts: { idle: 100 } })(ask(api, false));
    expect([502, 504]).toContain(response.status);
    expect(JSON.stringify(await response.json())).toContain('message');
  });

  it('one-byte writes change nothing', async () => {
    model.script({ text: call, fault: { type: 'one-byte' } });
    const events = await eventsOf(await responder()(ask(api, true)));
    expect(apis[api].ends(events)).toBe(true);
    expect(events.map(({ data }) => data).join('')).toContain('get_weather');
  });
});

describe('L16: an upstream that does not answer as an API', () => {
  const answered = async (fault: Fault, api: Api = 'chat') => {
    model.script({ text: 'x', fault }, { text: 'x', fault });
    const response = await responder()(ask(api, true));
    return { status: response.status, text: await response.text() };
  };

  it('a web page: an error that asks to check the url', async () => {
    const { status, text } = await answered({ type: 'html' });
    expect(status).toBe(502);
    expect(text).toContain('web page');
  });

  it('a redirect: not followed', async () => {
    const { status, text } = await answered({ type: 'redirect', location: 'http://127.0.0.1:9/v1' });
    expect(status).toBe(502);
    expect(text).toContain('redirect');
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    [401, 'bad key'],
    [400, 'prompt too long'],
    [404, 'no such model'],
  ])('status %i: passed on with its words, and not tried again', async (status, words) => {
    const body = JSON.stringify({ error: { message: words } });
    for (const api of apiNames) {
      const got = await answered({ type: 'status', status, body }, api);
      expect(got.status).toBe(status);
      expect(got.text).toContain(words);
      expect(model.requests).toHaveLength(1);
    }
  });
});

describe('L18, L19: a request is retried', () => {
  const busy = (status: number, headers: Record<string, string> = {}) => ({
    fault: { type: 'status' as const, status, body: '{"error":"busy"}', headers },
  });

  it.each([408, 409, 429, 500, 502, 503, 529])(
    'once, before the first byte, after status %i',
    async (status) => {
      model.script(busy(status), 'All well.');
      const response = await responder()(ask('chat', false));
      expect(response.status).toBe(200);
      expect(model.requests).toHaveLength(2);
    },
  );

  it('at most once', async () => {
    model.script(busy(503), busy(503), 'All well.');
    const response = await responder()(ask('chat', false));
    expect(response.status).toBe(502);
    expect(model.requests).toHaveLength(2);
  });

  it('not where the upstream sends x-should-retry: false', async () => {
    model.script(busy(503, { 'x-should-retry': 'false' }), 'All well.');
    const response = await responder()(ask('chat', false));
    expect(response.status).toBe(502);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(model.requests).toHaveLength(1);
  });

  it('not after a reset in the middle of the answer', async () => {
    model.script({ text: 'Let me see.', fault: { type: 'reset', after: 2 } }, 'All well.');
    await eventsOf(await responder()(ask('chat', true)));
    expect(model.requests).toHaveLength(1);
  });

  it('also where the upstream cannot be reached, and then the error states that', async () => {
    const server = createServer();
    const port = await listen(server);
    await close(server);
    const response = await responder({ url: `http://127.0.0.1:${port}/v1` })(ask('chat', true));
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('could not be reached');
  });

  it('tells clients that what cannot succeed is not worth a second try', async () => {
    const response = await responder()(ask('chat', true, undefined, { messages: 'hello' }));
    expect(response.status).toBe(400);
    expect(response.headers.get('x-should-retry')).toBe('false');
  });
});

describe('L20: a timeout', () => {
  it('for the first byte', async () => {
    model.script({ fault: { type: 'no-answer' } });
    const response = await responder({ timeouts: { firstByte: 400 }, retries: 0 })(ask('chat', true));
    expect(response.status).toBe(504);
    expect(await response.text()).toContain('did not begin to answer');
  });

  it('for the next piece', async () => {
    model.script({ text: 'Let me see.', fault: { type: 'silence', after: 2 } });
    const events = await eventsOf(await responder({ timeouts: { idle: 400 } })(ask('chat', true)));
    expect(events.at(-1)?.data).toContain('fell silent');
  });

  it('for the whole', async () => {
    // Long enough that the answer has begun on a busy machine, and far shorter than the whole of it.
    model.script({ text: 'x'.repeat(30_000), delay: 20 });
    const events = await eventsOf(await responder({ timeouts: { total: 2000 } })(ask('chat', true)));
    expect(events.at(-1)?.data).toContain('was not done');
  });
});

describe.each(apiNames)('L21: a silence, over %s', (api) => {
  it('is filled with signs of life, before the first byte and behind it', async () => {
    model.script({ text: 'Hello.', delay: 60, pieces: 3 });
    const response = await responder({}, { heartbeat: 20 })(ask(api, true));
    const text = await response.text();
    const beat = api === 'messages' ? 'event: ping\n' : ': ping\n';
    expect(text.split(beat).length).toBeGreaterThan(3);
    expect(text).not.toContain(': ping\n\n');
    const events: EventSourceMessage[] = [];
    createSseParser({ onEvent: (event) => events.push(event) }).feed(text);
    expect(apis[api].ends(events)).toBe(true);
  });
});

describe('L15: a client that leaves', () => {
  it('by cancelling the body: the upstream is left, too', async () => {
    model.script({ text: call, fault: { type: 'silence', after: 5 } });
    const response = await responder()(ask('chat', true));
    const seen = await model.arrived(0);
    await response.body?.cancel();
    expect(await seen.over).toBe(true);
  });
});

function drainOrClose(response: ServerResponse): Promise<void> {
  return new Promise((go) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      go();
    };
    response.on('drain', done).on('close', done);
  });
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

function heldBytes(): number {
  gc();
  return process.memoryUsage().heapUsed;
}

describe('L14: a reader that does not read', () => {
  const total = (isFull ? 200 : 60) * 1024 * 1024;
  let server: Server;
  let url: string;
  let produced = 0;

  beforeAll(async () => {
    const line = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(16_000) } }] })}\n\n`;
    server = createServer(async (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      produced = 0;
      while (produced < total && !response.destroyed) {
        produced += line.length;
        if (!response.write(line)) await drainOrClose(response);
      }
      response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    });
    url = `http://127.0.0.1:${await listen(server)}/v1`;
  });
  afterAll(() => close(server));

  it('stops the upstream after a few pieces', async () => {
    const response = await responder({ url })(ask('chat', true));
    await wait(300);
    const first = produced;
    await wait(300);
    expect(produced).toBe(first);
    expect(produced).toBeLessThan(10 * 1024 * 1024);
    await response.body?.cancel();
  });

  it('passes 60 MB in flat memory, 200 in the full measure', async () => {
    const response = await responder({ url })(ask('chat', true));
    const before = heldBytes();
    let bytes = 0;
    let pieces = 0;
    let most = 0;
    for await (const piece of response.body ?? []) {
      bytes += piece.byteLength;
      if (++pieces % 1000 === 0) most = Math.max(most, heldBytes() - before);
    }
    expect(bytes).toBeGreaterThan(total);
    expect(pieces).toBeGreaterThan(1500);
    expect(most).toBeLessThan(10 * 1024 * 1024);
  });
});
