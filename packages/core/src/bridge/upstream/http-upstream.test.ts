import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerEvent, ApiError } from '../../model/index.js';
import { createUpstream, type UpstreamOptions } from './http-upstream.js';
import type { UpstreamRequest } from './upstream.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
let before = 0;
beforeEach(() => {
  unhandled.length = 0;
  before = timers();
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await soon(5);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
const soon = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

const asked: UpstreamRequest = {
  api: 'openai-chat',
  model: 'm',
  conversation: {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
    tools: [],
    toolChoice: 'auto',
  },
  settings: {},
  stream: true,
};

const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const whole = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hallo, Grüße' }, finish_reason: 'stop' }],
});
const sse = { 'content-type': 'text/event-stream' };

type Answer = (init: RequestInit, count: number, url: string) => Response | Promise<Response>;

/** An upstream whose fetch is this function, and what it was called with. */
function over(answer: Answer, options: Partial<UpstreamOptions> = {}) {
  const calls: { url: string; init: RequestInit }[] = [];
  const upstream = createUpstream({
    url: 'http://up.invalid/v1',
    retryDelay: 1,
    ...options,
    fetch: (async (url: string, init: RequestInit) => {
      calls.push({ url, init });
      return answer(init, calls.length, url);
    }) as typeof fetch,
  });
  return { upstream, calls };
}

interface Got {
  events: AnswerEvent[];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was thrown.
  error: any;
}

async function got(
  { upstream }: { upstream: ReturnType<typeof createUpstream> },
  signal = new AbortController().signal,
): Promise<Got> {
  const all: Got = { events: [], text: '', error: undefined };
  try {
    for await (const event of upstream.ask(asked, { signal })) {
      all.events.push(event);
      if (event.type === 'text-delta') all.text += event.text;
    }
  } catch (error) {
    all.error = error;
  }
  // Others share the thread, and their timers come and go; one that is left behind by us stays.
  await expect.poll(timers).toBeLessThanOrEqual(before);
  return all;
}

/** A body that gives these pieces and then ends, fails, or waits for ever. */
function body(
  pieces: (string | Uint8Array)[],
  then: 'end' | 'fail' | 'hang' = 'end',
  cancelled?: () => void,
) {
  const bytes = new TextEncoder();
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[at++];
      if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? bytes.encode(piece) : piece);
      else if (then === 'end') controller.close();
      else if (then === 'fail') controller.error(new TypeError('terminated'));
      else return new Promise(() => {});
    },
    cancel: cancelled ?? (() => {}),
  });
}

describe('an answer over HTTP', () => {
  const text = chunk('Hallo, ') + chunk('Grüße') + last;

  it.each([
    ['as a stream', () => new Response(text, { headers: sse })],
    [
      'as a stream, byte by byte',
      () =>
        new Response(body([...new TextEncoder().encode(text)].map((byte) => new Uint8Array([byte]))), {
          headers: sse,
        }),
    ],
    ['with CRLF', () => new Response(text.replaceAll('\n', '\r\n'), { headers: sse })],
    ['with a byte order mark', () => new Response(`\ufeff${text}`, { headers: sse })],
    ['with comments and pings', () => new Response(`: hi\n\n${text}`, { headers: sse })],
    ['as a stream without a type', () => new Response(body([text]))],
    [
      'whole, although a stream was asked for',
      () => new Response(whole, { headers: { 'content-type': 'application/json' } }),
    ],
    ['whole, without a type', () => new Response(body([whole.slice(0, 1), whole.slice(1)]))],
    [
      'whole, said to be plain text',
      () => new Response(`\n ${whole}`, { headers: { 'content-type': 'text/plain' } }),
    ],
    ['whole, said to be a stream', () => new Response(whole, { headers: sse })],
  ])('is read %s', async (_name, answer) => {
    for (const stream of [true, false]) {
      const { text: said, error, events } = await got(over(answer, { stream }));
      expect(error).toBeUndefined();
      expect(said).toBe('Hallo, Grüße');
      expect(events[0]).toEqual({ type: 'answer-start' });
      expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
    }
  });

  it.each([
    ['nothing', () => new Response(null, { headers: sse }), 'upstream-failed'],
    ['no characters', () => new Response('', { headers: sse }), 'upstream-failed'],
    [
      'a web page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'upstream-failed',
    ],
    ['half of JSON', () => new Response(whole.slice(0, 40)), 'upstream-broken'],
    [
      'a body that fails',
      () => new Response(body([chunk('Hal')], 'fail'), { headers: sse }),
      'upstream-broken',
    ],
    ['a stream without an end', () => new Response(chunk('Hal'), { headers: sse }), 'upstream-broken'],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'http://evil' } }),
      'upstream-failed',
    ],
  ])('of %s is an error', async (_name, answer, code) => {
    const { error } = await got(over(answer));
    expect(error).toMatchObject({ name: 'ApiError', code });
  });

  it('that is one endless line is given up', async () => {
    const piece = new TextEncoder().encode('x'.repeat(1024 * 1024));
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        controller.enqueue(sent === 1 ? new TextEncoder().encode('data: "') : piece);
      },
    });
    const { error } = await got(over(() => new Response(endless, { headers: sse })));
    expect(error).toMatchObject({ code: 'upstream-broken' });
    expect(sent).toBeLessThan(80);
  });
});

describe('an upstream that refuses', () => {
  const error = (
    status: number,
    headers: Record<string, string> = {},
    said: string | ReadableStream = '{"error":{"message":"no"}}',
  ) => new Response(said, { status, headers });

  it('is asked once more, where that may help', async () => {
    const flaky = over((_init, count) =>
      count === 1 ? error(503) : new Response(chunk('Hi') + last, { headers: sse }),
    );
    expect((await got(flaky)).text).toBe('Hi');
    for (const answer of [error(400), error(503, { 'x-should-retry': 'false' })]) {
      const once = over(() => answer.clone());
      expect((await got(once)).error).toMatchObject({ status: answer.status });
      expect(once.calls).toHaveLength(1);
    }
  });

  it('names the time to wait, in seconds or as a date', async () => {
    const in30 = new Date(Date.now() + 30_000).toUTCString();
    for (const after of ['30', in30]) {
      const { error: thrown } = await got(over(() => error(429, { 'retry-after': after }), { retries: 0 }));
      expect(thrown.retryAfter).toBeGreaterThan(27);
      expect(thrown.retryAfter).toBeLessThanOrEqual(30);
    }
    for (const after of ['soon', '-5', new Date(0).toUTCString()]) {
      const { error: thrown } = await got(over(() => error(429, { 'retry-after': after }), { retries: 0 }));
      expect(thrown.retryAfter).toBeUndefined();
    }
  });

  it('is understood by its status, however long or broken its words are', async () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    for (const said of [long, body(['{"error":'], 'fail')]) {
      const { error: thrown } = await got(over(() => error(429, {}, said), { retries: 0 }));
      expect(thrown).toMatchObject({ code: 'rate-limited', status: 429 });
      expect(thrown.message.length).toBeLessThan(5000);
    }
  });

  it('does not hold up who leaves in the wait before the next try', async () => {
    const aborter = new AbortController();
    const slow = over(() => error(503, { 'retry-after': '9' }));
    setTimeout(() => aborter.abort(new Error('left')), 10);
    const { error: thrown } = await got(slow, aborter.signal);
    expect(thrown).toMatchObject({ message: 'left' });
    expect(slow.calls).toHaveLength(1);
  });

  it('is not retried where the caller handles the error, which has its body', async () => {
    const failing = over(() => error(500, {}, '{"error":"no call"}'));
    const handled: unknown[] = [];
    const handles = ({ body }: ApiError) => handled.push(body) > 0;
    const events = failing.upstream.ask(asked, { signal: new AbortController().signal, handles });
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 500 });
    expect(handled).toEqual(['{"error":"no call"}']);
    expect(failing.calls).toHaveLength(1);
  });
});

describe('secrets', () => {
  it.each([
    ['a key that no header can hold', { key: 'sk-secret\nsecret' }],
    ['a header that no header can hold', { headers: { authorization: 'sk-secret\nsecret' } }],
    ['an address with a password', { url: 'http://user:sk-secret@up.invalid/v1' }],
  ])('are in no error: %s', async (_name, options) => {
    const upstream = createUpstream({ url: 'http://127.0.0.1:9/v1', retries: 0, ...options });
    const { error } = await got({ upstream });
    expect(error).toMatchObject({ name: 'ApiError' });
    expect(error.message).not.toContain('secret');
  });

  it('go to the address that was set, with its query', async () => {
    const azure = over(() => new Response(chunk('Hi') + last, { headers: sse }), {
      url: 'http://up.invalid/v1/?api-version=7',
      key: 'k',
    });
    expect((await got(azure)).text).toBe('Hi');
    expect(azure.calls[0]?.url).toBe('http://up.invalid/v1/chat/completions?api-version=7');
    expect(new Headers(azure.calls[0]?.init.headers).get('authorization')).toBe('Bearer k');
  });
});

describe('patience', () => {
  it('waits for the first byte of the answer, also behind headers that came at once', async () => {
    const late = () => {
      let at = 0;
      const pieces = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (at++ > 0) return controller.close();
          await soon(40);
          controller.enqueue(new TextEncoder().encode(chunk('Hi') + last));
        },
      });
      return new Response(pieces, { headers: sse });
    };
    // The upstream's own.
    before++;
    expect((await got(over(late, { timeouts: { idle: 10, firstByte: 1000 } }))).text).toBe('Hi');
    const { error } = await got(over(late, { timeouts: { idle: 1000, firstByte: 10 } }));
    expect(error).toMatchObject({ code: 'upstream-timeout' });
  });

  it('ends in the middle of an answer, also of one that is whole', async () => {
    for (const piece of [chunk('Hi'), whole.slice(0, 20)]) {
      const { error } = await got(
        over(() => new Response(body([piece], 'hang')), { timeouts: { idle: 10 } }),
      );
      expect(error).toMatchObject({ code: 'upstream-timeout' });
    }
    const total = over(() => new Response(body([chunk('Hi')], 'hang')), { timeouts: { total: 10 } });
    expect((await got(total)).error).toMatchObject({ code: 'upstream-timeout' });
  });

  it('does not run out while the reader takes its time', async () => {
    const { upstream } = over(() => new Response(chunk('Hi') + last, { headers: sse }), {
      timeouts: { idle: 10, firstByte: 10 },
    });
    for await (const _ of upstream.ask(asked, { signal: new AbortController().signal })) await soon(15);
  });
});

describe('who leaves', () => {
  let server: Server;
  let answer: (response: ServerResponse) => void;
  const open = new Set<ServerResponse>();
  beforeEach(async () => {
    server = createServer((request, response) => {
      request.resume();
      open.add(response);
      response.on('close', () => open.delete(response));
      request.on('end', () => answer(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const real = () => createUpstream({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });

  const stages: [string, (response: ServerResponse) => void][] = [
    ['before the headers', () => {}],
    ['before the first byte', (response) => response.writeHead(200, sse).flushHeaders()],
    ['in the middle of a stream', (response) => response.writeHead(200, sse).write(chunk('Hi'))],
    ['in the middle of JSON', (response) => response.writeHead(200).write(whole.slice(0, 30))],
    ['in the middle of an error', (response) => response.writeHead(500).write('{"error":')],
  ];

  it.each(stages)('leaves no request open: %s', async (_name, begin) => {
    answer = begin;
    const aborter = new AbortController();
    setTimeout(() => aborter.abort(new Error('left')), 30);
    const { error } = await got({ upstream: real() }, aborter.signal);
    expect(error).toMatchObject({ message: 'left' });
    for (let n = 0; n < 50 && open.size > 0; n++) await soon(2);
    expect(open.size).toBe(0);
  });

  it('leaves no request open by reading no further', async () => {
    answer = (response) => response.writeHead(200, sse).write(chunk('Hi'));
    for await (const event of real().ask(asked, { signal: new AbortController().signal })) {
      if (event.type === 'text-delta') break;
    }
    for (let n = 0; n < 50 && open.size > 0; n++) await soon(2);
    expect(open.size).toBe(0);
  });

  it('is let go even by a fetch that does not listen', async () => {
    const aborter = new AbortController();
    let cancelled = 0;
    const deaf = over(
      () =>
        new Response(
          body([chunk('Hi')], 'hang', () => cancelled++),
          { headers: sse },
        ),
    );
    setTimeout(() => aborter.abort(new Error('left')), 10);
    const { error, text } = await got(deaf, aborter.signal);
    expect(text).toBe('Hi');
    expect(error).toMatchObject({ message: 'left' });
    expect(cancelled).toBe(1);
  });

  it('is let go, and told that time is over, also where a fetch never comes back', async () => {
    const cancelled: number[] = [];
    const late = over(
      async (_init, count) => {
        await soon(40);
        return new Response(
          body([], 'hang', () => cancelled.push(count)),
          { headers: sse },
        );
      },
      { timeouts: { firstByte: 10 } },
    );
    expect((await got(late)).error).toMatchObject({ code: 'upstream-timeout' });
    const aborter = new AbortController();
    setTimeout(() => aborter.abort(new Error('left')), 5);
    expect((await got(late, aborter.signal)).error).toMatchObject({ message: 'left' });
    await expect.poll(() => cancelled).toEqual([1, 2]);
  });

  it('asks nobody, if he left before', async () => {
    const asking = over(() => new Response('x'));
    const { error } = await got(asking, AbortSignal.abort(new Error('left')));
    expect(error).toMatchObject({ message: 'left' });
  });

  it('reads what was packed', async () => {
    answer = (response) =>
      response.writeHead(200, { ...sse, 'content-encoding': 'gzip' }).end(gzipSync(chunk('Hi') + last));
    expect((await got({ upstream: real() })).text).toBe('Hi');
  });
});

describe('a port that fetch blocks', () => {
  it('is named as such: "bad port" alone says nothing', async () => {
    const upstream = createUpstream({ url: 'http://127.0.0.1:6000/v1', retries: 0 });
    const { error } = await got({ upstream });
    expect(String(error)).toMatch(/Fetch standard blocks its port \(bad port\), so let/);
  });
});

describe('the time until the first byte', () => {
  const failures: [string, () => Response][] = [
    ['refused', () => new Response('{}', { status: 503 })],
    [
      'could not be reached',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ];
  it.each(failures)('does not run while a retry is waited for: the upstream %s', async (_, fail) => {
    const busy = over((_init, count) => (count === 1 ? fail() : new Response(chunk('Hi') + last)), {
      retryDelay: 80,
      timeouts: { firstByte: 40 },
    });
    const { text, error } = await got(busy);
    expect([text, error, busy.calls.length]).toEqual(['Hi', undefined, 2]);
  });
});

describe('an error as the first event', () => {
  it('is an error before the answer, and not in it', async () => {
    const failing = over(
      () => new Response('data: {"error":{"message":"out of memory"}}\n\n', { headers: sse }),
    );
    const { events, error } = await got(failing);
    expect([events, error?.message]).toEqual([[], 'The upstream failed: out of memory']);
  });

  it('behind something said is an error in it', async () => {
    const failing = over(
      () => new Response(`${chunk('Hi')}data: {"error":{"message":"out of memory"}}\n\n`, { headers: sse }),
    );
    const { text, error } = await got(failing);
    expect([text, error?.message]).toEqual(['Hi', 'The upstream failed: out of memory']);
  });
});

describe('choices that were not asked for', () => {
  const choice = (index: number, more: object) => ({ index, ...more });
  const bodies = {
    streamed: () => {
      const piece = (...choices: object[]) => `data: ${JSON.stringify({ choices })}\n\n`;
      const text = (content: string) => ({ delta: { content } });
      const end = { delta: {}, finish_reason: 'stop' };
      return new Response(
        [
          piece(choice(1, text('Sno'))),
          piece(choice(0, text('Sun'))),
          piece(choice(0, text('ny.')), choice(1, text('wy.'))),
          piece(choice(1, end)),
          piece(choice(0, end)),
          'data: [DONE]\n\n',
        ].join(''),
        { headers: sse },
      );
    },
    whole: () => {
      const message = (content: string) => ({
        message: { role: 'assistant', content },
        finish_reason: 'stop',
      });
      return Response.json({ choices: [choice(1, message('Snowy.')), choice(0, message('Sunny.'))] });
    },
  };
  const answers = async (answer: () => Response, settings: UpstreamRequest['settings']) => {
    const texts: string[] = [];
    const { upstream } = over(answer, { body: { n: 2 } });
    for await (const event of upstream.ask({ ...asked, settings }, { signal: new AbortController().signal }))
      if (event.type === 'text-delta')
        texts[event.choice ?? 0] = (texts[event.choice ?? 0] ?? '') + event.text;
    return texts;
  };

  it.each(Object.entries(bodies))('are left out: %s', async (_, answer) => {
    expect(await answers(answer, {})).toEqual(['Sunny.']);
    expect(await answers(answer, { choices: 2 })).toEqual(['Sunny.', 'Snowy.']);
  });
});

describe('an answer of megabytes', () => {
  const long = 'a "line" of words\n😀 '.repeat(200_000);
  const wholeOf = (message: object) =>
    JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  const called = (text: string) => ({ tool_calls: [{ index: 0, function: { name: 'f', arguments: text } }] });
  const eventOf = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const cut = (text: string) => text.match(/[\s\S]{1,10000}/gu) ?? [];

  it('is read whole, as a body and as one event', async () => {
    const read = await got(over(() => new Response(body(cut(wholeOf({ content: long }))))));
    expect(read.error).toBeUndefined();
    expect(read.text === long).toBe(true);
    const event = `${eventOf({ content: 'a' })}${eventOf({ content: long })}${eventOf({ content: 'z' })}${last}`;
    const streamed = await got(over(() => new Response(body(cut(event)), { headers: sse })));
    expect(streamed.error).toBeUndefined();
    expect(streamed.text === `a${long}z`).toBe(true);
  });

  it('is an error with the limit where its calls have too much', async () => {
    const texts: [text: string, limit: string][] = [
      [JSON.stringify({ a: long }), '1572864 characters'],
      [`[${'1,'.repeat(40_000)}1]`, '12000 elements'],
    ];
    for (const [text, limit] of texts) {
      const event = eventOf(called(text)) + last;
      const streamed = await got(over(() => new Response(body(cut(event)), { headers: sse })));
      expect(streamed.error.message).toContain(limit);
      const read = await got(over(() => new Response(body(cut(wholeOf(called(text)))))));
      expect(read.error.message).toContain(limit);
    }
  });

  it('is an error with the limit where it has too much beside its long strings', async () => {
    const parts = Array.from({ length: 50 }, () => ({ type: 'text', text: 'x'.repeat(50_000) }));
    const read = await got(over(() => new Response(body(cut(wholeOf({ content: parts }))))));
    expect(read.error.message).toContain('2097152 characters beside its long strings');
    const event = eventOf({ content: parts });
    const streamed = await got(over(() => new Response(body(cut(event)), { headers: sse })));
    expect(streamed.error.message).toContain('2097152 characters beside its long strings');
  });

  it('is an error where it is longer than an event may be', async () => {
    const piece = 'x'.repeat(1_000_000);
    const pieces = ['data: {"a":"', ...Array<string>(36).fill(piece), '"}\n\n'];
    const streamed = await got(over(() => new Response(body(pieces), { headers: sse })));
    expect(streamed.error.message).toContain('an event of more than 33554432 characters');
  });
});
