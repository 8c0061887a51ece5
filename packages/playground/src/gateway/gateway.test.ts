import { describe, expect, it } from 'vitest';
import { createGateway } from './gateway.js';
import { Trouble, toTrouble } from './trouble.js';

interface Sent {
  url: string;
  headers: Headers;
  body: unknown;
}

/** A gateway that answers everything with this. */
function answering(answer: () => Response | Promise<Response>, key = '') {
  const sent: Sent[] = [];
  const fetch = async (url: URL | RequestInfo, init: RequestInit = {}) => {
    sent.push({ url: String(url), headers: new Headers(init.headers), body: init.body });
    return answer();
  };
  return { sent, gateway: createGateway({ base: 'http://here/page/', key: () => key, fetch }) };
}

const stream = (body: BodyInit) =>
  new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
const refusal = (status: number, message: string) => Response.json({ error: { message } }, { status });
const signal = new AbortController().signal;
const inPieces = (bytes: Uint8Array, size: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const kindOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    (error: unknown) => (error instanceof Trouble ? error.kind : error),
  );

describe('the page’s own gateway', () => {
  it('is asked beside the page, with the key in a header and nowhere else', async () => {
    const { gateway, sent } = answering(() => Response.json({ data: [{ id: 'demo' }] }), 'my-secret');
    expect(await gateway.models()).toEqual([{ id: 'demo' }]);
    expect(sent[0]?.url).toBe('http://here/page/v1/models');
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer my-secret');
    expect(JSON.stringify(sent.map(({ url, body }) => [url, body]))).not.toContain('my-secret');
  });

  it('is sent no key where there is none', async () => {
    const { gateway, sent } = answering(() => Response.json({ keep: 5, exchanges: [] }));
    await gateway.exchanges();
    expect(sent[0]?.headers.has('authorization')).toBe(false);
  });

  it('streams chunks up to [DONE], under the id it was given', async () => {
    const { gateway, sent } = answering(() =>
      stream('data: {"a":1}\n\n: ping\n\ndata: {"a":2}\n\ndata: [DONE]\n\n'),
    );
    expect(await all(gateway.chat({ model: 'demo' }, { id: 'try-1', signal }))).toEqual([{ a: 1 }, { a: 2 }]);
    expect(sent[0]?.headers.get('x-request-id')).toBe('try-1');
    expect(sent[0]?.body).toBe('{"model":"demo"}');
  });

  it('tells an error inside the stream, and a stream that broke off', async () => {
    const failed = answering(() => stream('data: {"error":{"message":"The upstream is gone."}}\n\n')).gateway;
    await expect(all(failed.chat({}, { id: 'x', signal }))).rejects.toThrow('The upstream is gone.');
    const broken = answering(() => stream('data: {"a":1}\n\n')).gateway;
    expect(await kindOf(all(broken.chat({}, { id: 'x', signal })))).toBe('broken');
  });

  it('asks for the events of one exchange, or of the list', async () => {
    const { gateway, sent } = answering(() =>
      stream('event: dropped\ndata: {"type":"dropped","count":3}\n\n'),
    );
    expect(await all(await gateway.live({ id: 'a b', signal }))).toEqual([{ type: 'dropped', count: 3 }]);
    await gateway.live({ only: 'list', signal });
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual(['id=a+b', 'only=list']);
  });

  it('reads events that are cut anywhere, and ignores one that lacks its end', async () => {
    const text = 'event: a\ndata: "Zürich 😀"\n\n: ping\n\ndata: [1,\ndata: 2]\r\n\r\ndata:3\n\ndata: 4\n';
    const bytes = new TextEncoder().encode(text);
    for (let size = 1; size <= bytes.length; size++) {
      const { gateway } = answering(() => stream(inPieces(bytes, size)));
      expect(await all(await gateway.live({ signal }))).toEqual(['Zürich 😀', [1, 2], 3]);
    }
  });

  it('ends the request of a loop that is left', async () => {
    let ended = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel: () => {
        ended = true;
      },
    });
    const { gateway } = answering(() => stream(body));
    for await (const event of await gateway.live({ signal })) {
      expect(event).toBe(1);
      break;
    }
    expect(ended).toBe(true);
  });

  it.each([
    ['nothing answers', () => Promise.reject(new TypeError('Failed to fetch')), 'no-gateway'],
    ['files are served and no gateway', () => new Response('<h1>404</h1>', { status: 404 }), 'no-gateway'],
    ['every path gives the page', () => new Response('<!doctype html>'), 'no-gateway'],
    ['a key is needed', () => refusal(401, 'This gateway needs a key.'), 'key'],
    ['the key may not see it', () => refusal(403, 'That needs admin.'), 'admin'],
    ['the inspector is off', () => refusal(404, 'There is nothing at /inspector/exchanges.'), 'off'],
    ['the host is unknown', () => new Response('This host name is not allowed.', { status: 403 }), 'refused'],
    ['it is too busy', () => refusal(503, 'Too many requests at once.'), 'refused'],
  ])('says what is wrong where %s', async (_, answer, kind) => {
    const { gateway } = answering(answer as () => Response);
    expect(await kindOf(gateway.exchanges())).toBe(kind);
  });

  it('tells an exchange that is gone from an inspector that is off, and a model that may not be used', async () => {
    const gone = answering(() => Response.json({ error: 'not kept' }, { status: 404 }));
    expect(await kindOf(gone.gateway.exchange('a/b'))).toBe('gone');
    expect(gone.sent[0]?.url).toBe('http://here/page/inspector/exchanges/a%2Fb');
    const { gateway } = answering(() => refusal(403, 'This key may not use demo.'));
    expect(await kindOf(all(gateway.chat({}, { id: 'x', signal })))).toBe('refused');
  });

  it('takes no stopped request for trouble', async () => {
    const stop = new AbortController();
    stop.abort();
    const { gateway } = answering(() => Promise.reject(stop.signal.reason));
    const error = await all(gateway.chat({}, { id: 'x', signal: stop.signal })).catch((one: unknown) => one);
    expect(toTrouble(error)).toBeUndefined();
    expect(toTrouble(new TypeError('network error'))?.kind).toBe('broken');
  });
});
