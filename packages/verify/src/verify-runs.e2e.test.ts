import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectAnswer } from '@dragoman/core/bridge';
import { wires } from '@dragoman/core/wire';
import { createDemoUpstream } from '@dragoman/demo';
import { describe, expect, it } from 'vitest';
import { faults } from './faults.fixture.js';
import {
  compareEndpoint,
  drawSuite,
  EndpointError,
  type Exchange,
  type ExchangeStore,
  htmlReport,
  type VerifyEvent,
  type VerifyOptions,
  type VerifyReport,
  verifyEndpoint,
} from './index.js';
import { type HttpServer, serveDemo, serveFault } from './stand-in.fixture.js';

async function withServer<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function eventsOf(options: VerifyOptions): Promise<{ events: VerifyEvent[]; report: VerifyReport }> {
  const events: VerifyEvent[] = [];
  for await (const event of verifyEndpoint(options)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'report') throw new Error('no report at the end');
  return { events, report: last.report };
}

function memoryStore(): ExchangeStore & { kept: Map<string, Exchange> } {
  const kept = new Map<string, Exchange>();
  return { kept, load: async (key) => kept.get(key), save: async (key, value) => void kept.set(key, value) };
}

/** A server that answers every request with the same text, and counts them. */
function plainServer(content: string, onRequest: (count: number) => void = () => {}): RequestListener {
  let count = 0;
  return (request, response) => {
    request.resume().on('end', () => {
      onRequest(++count);
      const message = { role: 'assistant', content };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
    });
  };
}

describe('600 requests, 16 at once', () => {
  it('are all answered and judged, and the report does not grow with them', async () => {
    const asked: number[] = [];
    const long = 'A long answer without a call. '.repeat(2_000);
    const { report } = await withServer(
      plainServer(long, (count) => asked.push(count)),
      (url) => eventsOf({ url, model: 'any', suite: 'full', concurrency: 16 }),
    );
    expect(report.requests.done).toBe(report.requests.planned);
    expect(report.scores.counts.requests).toBe(600);
    expect(asked.length).toBeGreaterThanOrEqual(report.requests.planned);
    expect(JSON.stringify(report).length).toBeLessThan(300_000);
  });
});

describe('a connection that is lost', () => {
  it('is made again, and a busy endpoint is asked again', async () => {
    let count = 0;
    const right = plainServer('ready');
    const listener: RequestListener = (request, response) => {
      count++;
      if (count % 7 === 3) request.socket.destroy();
      else if (count % 7 === 5) {
        request.resume();
        response.writeHead(429, { 'retry-after': '0.01' }).end();
      } else right(request, response);
    };
    const { report } = await withServer(listener, (url) =>
      eventsOf({ url, model: 'any', suite: drawSuite(12, 1), concurrency: 1, engine: 'none' }),
    );
    expect(report.scores.success_rate?.value).toBe(1);
  });
});

describe('a run that is stopped', () => {
  it('reports what was done, and goes on where it was saved', async () => {
    const demo = await serveDemo();
    const suite = drawSuite(12, 3);
    const base = { url: demo.url, model: 'demo', suite, concurrency: 4 };
    try {
      const store = memoryStore();
      const stop = new AbortController();
      const events: VerifyEvent[] = [];
      for await (const event of verifyEndpoint({ ...base, store, signal: stop.signal })) {
        events.push(event);
        if (event.type === 'answer' && event.done === 10) stop.abort();
      }
      const last = events.at(-1);
      expect(last).toMatchObject({ type: 'report', report: { stopped: true } });
      const half = store.kept.size;
      expect(half).toBeGreaterThanOrEqual(10);
      const before = new Map(store.kept);
      const { report } = await eventsOf({ ...base, store });
      expect(report.stopped).toBeUndefined();
      expect(report.requests.done).toBe(report.requests.planned);
      for (const [key, exchange] of before) expect(store.kept.get(key)).toBe(exchange);

      const { report: again } = await eventsOf({
        ...base,
        store,
        replay: true,
        url: 'http://127.0.0.1:9/v1',
      });
      const { endpoint: _, ...judged } = again;
      const { endpoint: __, ...first } = report;
      expect(judged).toEqual(first);
    } finally {
      await demo.close();
    }
  });
});

describe('an endpoint that cannot be tested', () => {
  const reach = (url: string) => eventsOf({ url, model: 'any' });

  it('is told by its address', async () => {
    await expect(reach('http://127.0.0.1:9/v1')).rejects.toThrow(/127\.0\.0\.1:9\/v1 cannot be reached: .+/);
    await expect(reach('ftp://somewhere/v1')).rejects.toThrow(EndpointError);
  });

  it.each([
    [
      401,
      'application/json',
      '{"error": {"message": "bad key"}}',
      /refuses the request\. HTTP 401: .*bad key/,
    ],
    [404, 'application/json', '{"error": {"message": "no such model"}}', /HTTP 404: .*no such model/],
    [200, 'text/html', '<html>Welcome</html>', /answers with a web page/],
  ])('is told by its answer %i', async (status, type, body, message) => {
    const listener: RequestListener = (request, response) => {
      request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(body));
    };
    await withServer(listener, (url) => expect(reach(url)).rejects.toThrow(message));
  });
});

describe('a key', () => {
  const key = 'sk-secret-0123456789';

  it('is in no exchange that is kept, and in no report, even if the endpoint quotes it in pieces', async () => {
    const store = memoryStore();
    const listener: RequestListener = (request, response) => {
      const sent = String(request.headers.authorization);
      request.resume().on('end', () => {
        const body = JSON.stringify({
          choices: [
            { index: 0, message: { role: 'assistant', content: `You sent ${sent}` }, finish_reason: 'stop' },
          ],
        });
        const at = body.indexOf(key) + 5;
        response.setHeader('content-type', 'application/json').write(body.slice(0, at));
        setTimeout(() => response.end(body.slice(at)), 5);
      });
    };
    const { report } = await withServer(listener, (url) =>
      eventsOf({
        url: url.replace('//', '//name:pass-word-1@'),
        model: 'any',
        key,
        suite: drawSuite(4, 1),
        store,
        fetch: plain,
      }),
    );
    const written = [JSON.stringify([...store.kept]), JSON.stringify(report), htmlReport(report)].join();
    expect(store.kept.size).toBeGreaterThan(20);
    expect(written).toContain('You sent');
    expect(written).not.toContain(key);
    expect(written).not.toContain('pass-word-1');
  });

  /** Node's fetch refuses an address with a password; some do not. */
  const plain = (url: string, init: RequestInit) => fetch(url.replace(/\/\/.*@/, '//'), init);
});

describe('an endpoint that sends anything', () => {
  it.each([
    ['no JSON', 'Hello'],
    ['JSON of another kind', '[[[1]]]'],
    ['null', 'null'],
    ['a deep value', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    [
      'markup and control characters',
      '{"choices": [{"message": {"content": "<script>x</script>\\u0007\\u202e"}}]}',
    ],
  ])('gets a report: %s', async (_, body) => {
    const listener: RequestListener = (request, response) => {
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(body));
    };
    const { report } = await withServer(listener, (url) =>
      eventsOf({ url, model: '<b>\u0007', suite: drawSuite(4, 1) }),
    );
    expect(report.requests.done).toBe(report.requests.planned);
    const page = htmlReport(report);
    for (const text of ['<script', '<b>', '\u0007', '\u202e']) expect(page.includes(text)).toBe(false);
  });
});

// --- through Dragoman ----------------------------------------------------------------------------------------

/** A model that only writes text: it ignores tools. */
function serveTextOnly(): Promise<HttpServer> {
  const upstream = createDemoUpstream({ delay: 0 });
  const [wire] = wires;
  if (!wire) throw new Error('no API');
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.method === 'GET') return void response.writeHead(404).end();
    try {
      const asked = wire.decodeRequest(JSON.parse(Buffer.concat(pieces).toString()));
      const context = { request: asked, newId: (prefix: string) => `${prefix}1`, report: false };
      const events = upstream.ask(asked, { signal: new AbortController().signal });
      if (!asked.stream) {
        const answer = await collectAnswer(events);
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(wire.encodeResponse(answer, context)));
        return;
      }
      response.setHeader('content-type', wire.stream.type);
      const encoder = wire.createStreamEncoder(context);
      for await (const event of events) response.write(encoder.encode(event));
      response.end(encoder.end());
    } catch {
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error": {"message": "bad request"}}');
    }
  });
  return new Promise((ready) => {
    server.listen(0, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const close = async () => {
        server.closeAllConnections();
        server.close();
      };
      ready({ url, close });
    });
  });
}

async function compared(url: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const event of compareEndpoint({
    url,
    model: 'demo',
    suite: drawSuite(12, 1),
    concurrency: 8,
  })) {
    if (event.type !== 'report') continue;
    for (const { way, checks } of event.report.compared ?? [])
      found.set(
        way,
        checks.flatMap(({ id, status }) => (status === 'fail' ? [id] : [])),
      );
  }
  return found;
}

describe('the comparison', () => {
  it('shows that healing mends an endpoint whose calls leak', async () => {
    const demo = await serveDemo();
    const proxy = await serveFault(demo.url, faults['calls are left in the text in qwen3-coder'] ?? {});
    const found = await compared(proxy.url).finally(() => Promise.all([proxy.close(), demo.close()]));
    expect(found.get('straight')).toEqual(['call-leak']);
    // A leaked call is delivered when it is whole.
    expect(found.get('heal')).toEqual(['arguments-stream']);
  });

  it('shows that emulation gives tools to a model that only writes text', async () => {
    const server = await serveTextOnly();
    const found = await compared(server.url).finally(() => server.close());
    expect(found.get('straight')).toContain('calls-tool');
    expect(found.get('emulate')).toEqual([]);
  });
});
