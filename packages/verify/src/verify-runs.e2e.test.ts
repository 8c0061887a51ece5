import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelRequest } from '@dragoman/core';
import { collectAnswer } from '@dragoman/core/bridge';
import { wires } from '@dragoman/core/wire';
import { createDemoUpstream } from '@dragoman/demo';
import { describe, expect, it } from 'vitest';
import type { FetchFunction } from './endpoint.js';
import { faults } from './faults/index.fixture.js';
import {
  compareEndpoint,
  drawSuite,
  EndpointError,
  type Exchange,
  type ExchangeStore,
  htmlReport,
  isRight,
  mendedWords,
  type VerifyEvent,
  type VerifyOptions,
  type VerifyReport,
  verdictOf,
  verifyEndpoint,
} from './index.js';
import { askDemo, faulty, serveDemo } from './stand-in.fixture.js';

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
    const long = 'A long answer without a call. '.repeat(500);
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
      if (count % 23 === 3) request.socket.destroy();
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

it('an address without its version is told from a wrong one', async () => {
  const fetch: FetchFunction = async () => new Response('not found', { status: 404 });
  const message = async (url: string) =>
    eventsOf({ url, model: 'x', fetch }).then(
      () => '',
      (error) => String(error.message),
    );
  expect(await message('http://host.invalid:8000')).toContain(
    'ends in the version: http://host.invalid:8000/v1.',
  );
  expect(await message('http://host.invalid:8000/v1')).not.toContain('version');
  expect(await message('http://host.invalid:8000/v1/chat/completions')).toContain(
    'ends before the path of the API: http://host.invalid:8000/v1. HTTP 404',
  );
});

describe('an endpoint that stops answering', () => {
  const GONE_AFTER = 40;

  /** The demo, which loses every connection after so many requests. */
  function dying(lose: (ask: Promise<Response>) => Promise<Response>) {
    let count = 0;
    const fetch: FetchFunction = (url, init) => {
      const answer = askDemo(url, init);
      return ++count <= GONE_AFTER ? answer : lose(answer);
    };
    return { fetch, count: () => count };
  }
  const refuse = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect refused') }));
  const base = { url: 'http://demo.invalid/v1', model: 'demo', engine: 'none' as const };
  const failed = ({ checks }: VerifyReport) =>
    checks.filter(({ status }) => status === 'fail').map(({ id }) => id);

  it.each([
    ['refuses connections', refuse, 'connect refused.'],
    [
      'is behind a proxy that answers 502',
      async () => new Response('', { status: 502, headers: { 'retry-after': '0.001' } }),
      'HTTP 502.',
    ],
  ])('ends the run early, and blames no check: it %s', async (_, lose, reason) => {
    const { fetch, count } = dying(lose);
    const store = memoryStore();
    const { report } = await eventsOf({ ...base, fetch, store });
    expect(report).toMatchObject({ stopped: true, lost: reason });
    expect(failed(report)).toEqual([]);
    expect(isRight(report)).toBe(false);
    expect(verdictOf(report)).toMatch(/^The endpoint stopped answering after \d+ of \d+ probes: /);
    expect(count()).toBeLessThan(GONE_AFTER + 60);
    expect(report.unjudged).toEqual(expect.arrayContaining(['calls-tool', 'history-tolerant', 'errors']));
    expect(report.unjudged).not.toContain('answers');
    const late = report.checks.find(({ id }) => id === 'history-tolerant');
    expect(late).toMatchObject({ status: 'skipped', reason: 'The run ended before it was judged.' });

    const { report: whole } = await eventsOf({ ...base, fetch: askDemo, store });
    expect(failed(whole)).toEqual([]);
    expect(whole.stopped).toBeUndefined();
    expect(whole.requests.done).toBe(whole.requests.planned);
  });

  it('is told from one that fails on some requests', async () => {
    const isResult = (body: unknown) => String(body).includes('"role":"tool"');
    const fetch: FetchFunction = async (url, init) =>
      isResult(init.body)
        ? new Response('', { status: 503, headers: { 'retry-after': '0.001' } })
        : askDemo(url, init);
    const { report } = await eventsOf({ ...base, fetch });
    expect(report.lost).toBeUndefined();
    expect(failed(report)).toEqual(['result-accepted']);
    expect(report.requests.done).toBe(report.requests.planned);
  });
});

describe('a run that is stopped', () => {
  it('reports what was done, and goes on where it was saved', async () => {
    const demo = await serveDemo();
    const suite = drawSuite(12, 3);
    const date = '2026-01-02T03:04:05.000Z';
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
      if (last?.type === 'report') {
        expect(isRight(last.report)).toBe(false);
        expect(verdictOf(last.report)).toMatch(/^The run is not finished: \d+ of \d+ probes were answered/);
      }
      const half = store.kept.size;
      expect(half).toBeGreaterThanOrEqual(10);
      const before = new Map(store.kept);
      const { report } = await eventsOf({ ...base, store, date });
      expect(report.stopped).toBeUndefined();
      expect(report.requests.done).toBe(report.requests.planned);
      for (const [key, exchange] of before) expect(store.kept.get(key)).toBe(exchange);

      const { report: again } = await eventsOf({
        ...base,
        store,
        date,
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
    await expect(reach('http://127.0.0.1:6000/v1')).rejects.toThrow(/standard blocks its port \(bad port\)/);
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
    [400, 'application/json', '{"error": "temperature must be 1"}', /refuses the temperature 0: send none/],
    [400, 'application/json', '{"error": "no such field"}', /refuses every request\. HTTP 400: .*no such/],
    [500, 'application/json', '{"error": "out of memory"}', /fails on every request\. HTTP 500: .*memory/],
  ])('is told by its answer %i', async (status, type, body, message) => {
    const listener: RequestListener = (request, response) => {
      request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(body));
    };
    await withServer(listener, (url) => expect(reach(url)).rejects.toThrow(message));
  });

  it('is tested when its key is mended, in the same store', async () => {
    const store = memoryStore();
    const suite = drawSuite(4, 1);
    const listener: RequestListener = (request, response) => {
      if (request.headers.authorization === 'Bearer right-key') plainServer('ready')(request, response);
      else request.resume().on('end', () => response.writeHead(401).end('{"error": "bad key"}'));
    };
    await withServer(listener, async (url) => {
      const asked = { url, model: 'any', suite, store, engine: 'none' as const };
      await expect(eventsOf({ ...asked, key: 'wrong-key' })).rejects.toThrow(/bad key/);
      const { report } = await eventsOf({ ...asked, key: 'right-key' });
      expect(report.scores.success_rate?.value).toBe(1);
    });
  });

  it('is told by where it redirects to, and the redirect is not followed', async () => {
    const paths: string[] = [];
    const listener: RequestListener = (request, response) => {
      paths.push(request.url ?? '');
      request
        .resume()
        .on('end', () => response.writeHead(302, { location: 'https://b.invalid/v1?a=b' }).end());
    };
    const message = /redirects to https:\/\/b\.invalid\/v1 \(HTTP 302\): give that address/;
    await withServer(listener, (url) => expect(reach(url)).rejects.toThrow(message));
    expect(paths).toHaveLength(1);
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
        url,
        model: 'any',
        key,
        suite: drawSuite(4, 1),
        store,
      }),
    );
    const written = [JSON.stringify([...store.kept]), JSON.stringify(report), htmlReport(report)].join();
    expect(store.kept.size).toBeGreaterThan(20);
    expect(written).toContain('You sent');
    expect(written).not.toContain(key);
  });

  it('may be a password in the address: it is sent as a header, and shown nowhere', async () => {
    const store = memoryStore();
    const sent = new Set<string>();
    const basic = `Basic ${btoa('name:pass word-1')}`;
    const listener: RequestListener = (request, response) => {
      sent.add(String(request.headers.authorization));
      plainServer(`You sent ${basic}: pass word-1, in ${request.url}`)(request, response);
    };
    const { report } = await withServer(listener, (url) => {
      const address = url.replace('//', '//name:pass%20word-1@');
      return eventsOf({ url: address, model: 'any', suite: drawSuite(4, 1), store });
    });
    expect([...sent]).toEqual([basic]);
    const written = [JSON.stringify([...store.kept]), JSON.stringify(report), htmlReport(report)].join();
    expect(written).toContain('You sent');
    for (const secret of ['pass word-1', 'pass%20word-1', btoa('name:pass word-1')])
      expect(written).not.toContain(secret);
    await expect(eventsOf({ url: 'http://a:b@c.invalid/v1', model: 'any', key })).rejects.toThrow(
      /leave one/,
    );
  });
});

describe('an endpoint that sends anything', () => {
  it.each([
    ['no JSON', 'Hello'],
    ['JSON of another kind', '[[[1]]]'],
    ['null', 'null'],
    ['a deep value', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
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
const askTextOnly: FetchFunction = async (_, { method, body }) => {
  const [wire] = wires;
  if (!wire || method !== 'POST') return new Response('{}', { status: 404 });
  let request: ModelRequest;
  try {
    request = wire.decodeRequest(JSON.parse(String(body)));
  } catch {
    return Response.json({ error: { message: 'bad request' } }, { status: 400 });
  }
  const context = { request, newId: (prefix: string) => `${prefix}1`, report: false };
  const events = createDemoUpstream({ delay: 0 }).ask(request, { signal: new AbortController().signal });
  if (!request.stream) return Response.json(wire.encodeResponse(await collectAnswer(events), context));
  const encoder = wire.createStreamEncoder(context);
  let text = '';
  for await (const event of events) text += encoder.encode(event);
  return new Response(text + encoder.end(), { headers: { 'content-type': wire.stream.type } });
};

async function comparedBy(
  fetch: FetchFunction,
): Promise<{ report: VerifyReport; failed: Map<string, string[]> }> {
  const suite = drawSuite(12, 1);
  for await (const event of compareEndpoint({ url: 'http://demo.invalid/v1', model: 'demo', suite, fetch })) {
    if (event.type !== 'report') continue;
    const failed = (event.report.compared ?? []).map(({ way, checks }): [string, string[]] => [
      way,
      checks.flatMap(({ id, status }) => (status === 'fail' ? [id] : [])),
    ]);
    return { report: event.report, failed: new Map(failed) };
  }
  throw new Error('no report');
}

describe('the comparison', () => {
  it('shows that healing mends an endpoint whose calls leak, and what it costs', async () => {
    const fault = faults['calls are left in the text in qwen3-coder'] ?? {};
    const { report, failed } = await comparedBy(faulty(fault));
    expect(failed.get('straight')).toEqual(['call-leak']);
    // A leaked call is delivered when it is whole.
    expect(failed.get('heal')).toEqual(['arguments-stream']);
    const words = mendedWords(report);
    expect(words).toMatch(
      /^Dragoman mends all that fails here by healing in qwen3-coder: call-leak\. Then arguments-stream fails\. The cost \(heal\): .* tokens an answer, .* to the first byte\.$/,
    );
    expect(htmlReport(report)).toContain('Dragoman mends all that fails here by healing');
  });

  it('shows that emulation gives tools to a model that only writes text', async () => {
    const { report, failed } = await comparedBy(askTextOnly);
    expect(failed.get('straight')).toContain('calls-tool');
    expect(failed.get('emulate')).toEqual([]);
    expect(mendedWords(report)).toMatch(
      /^Dragoman mends .* by emulating: .*calls-tool.* more tokens an answer/,
    );
  });

  it('leaves emulation out for a gateway that emulates already, and says so', async () => {
    const { report, failed } = await comparedBy(askDemo);
    expect(report.endpoint.gateway).toBe('emulate');
    expect([...failed]).toEqual([
      ['straight', []],
      ['heal', []],
    ]);
    expect(mendedWords(report)).toMatch(/^Nothing fails straight: .* so emulating once more is left out\.$/);
  });
});
