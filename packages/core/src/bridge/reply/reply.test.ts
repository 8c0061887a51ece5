import { describe, expect, it } from 'vitest';
import { incomingOf, type ReplyStream, toResponse } from './reply.js';

function streamOf(...texts: string[]): ReplyStream & { cancelled: unknown[]; asked: number } {
  const stream = {
    cancelled: [] as unknown[],
    asked: 0,
    next: async () => texts[stream.asked++],
    cancel: (reason: unknown) => void stream.cancelled.push(reason),
  };
  return stream;
}

const post = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
  incomingOf(
    new Request('http://test.invalid/v1/messages?beta=true', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit),
  );

function pieces(...sent: Uint8Array[]): ReadableStream<Uint8Array> & { left?: boolean } {
  const stream: ReadableStream<Uint8Array> & { left?: boolean } = new ReadableStream({
    pull(controller) {
      const next = sent.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
    cancel() {
      stream.left = true;
    },
  });
  return stream;
}

describe('a request', () => {
  it('has a path without its query, and headers in any case', () => {
    const incoming = post('{}', { 'X-Api-Key': 'k' });
    expect([incoming.method, incoming.path]).toEqual(['POST', '/v1/messages']);
    expect([incoming.header('x-api-key'), incoming.header('x-none')]).toEqual(['k', null]);
  });

  it('has a body in which characters may be cut, behind a mark that is not part of it', async () => {
    const bytes = new TextEncoder().encode('\ufeffGröße 😀');
    const cut = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await post(pieces(...cut)).text(100)).toBe('Größe 😀');
    expect(await post(null).text(100)).toBe('');
  });

  it('is read up to its limit and not beyond', async () => {
    expect(await post(pieces(new Uint8Array(5), new Uint8Array(5))).text(10)).toHaveLength(10);
    const endless = pieces(...Array.from({ length: 1000 }, () => new Uint8Array(5)));
    await expect(post(endless).text(10)).rejects.toMatchObject({ code: 'too-large' });
    expect(endless.left).toBe(true);
    await expect(post('x', { 'content-length': '11' }).text(10)).rejects.toMatchObject({ code: 'too-large' });
  });
});

describe('an answer as a web response', () => {
  it('that is text is over at once', async () => {
    let over = 0;
    const made = toResponse({ status: 404, headers: { 'x-a': 'b' }, body: 'no' }, () => over++);
    expect([made.status, made.headers.get('x-a'), await made.text(), over]).toEqual([404, 'b', 'no', 1]);
  });

  it('is written when it is read, and not before', async () => {
    const stream = streamOf('a', 'ß');
    let over = 0;
    const made = toResponse({ status: 200, headers: {}, body: stream }, () => over++);
    await new Promise((soon) => setTimeout(soon, 5));
    expect([stream.asked, over]).toEqual([0, 0]);
    expect(await made.text()).toBe('aß');
    expect([stream.cancelled, over]).toEqual([[], 1]);
  });

  it('tells the stream that its reader has gone, also while it waits', async () => {
    const stream = { ...streamOf(), next: () => new Promise<undefined>(() => {}) };
    let over = 0;
    const made = toResponse({ status: 200, headers: {}, body: stream }, () => over++);
    const reader = made.body?.getReader();
    const read = reader?.read();
    await reader?.cancel('gone');
    expect(await read).toEqual({ done: true, value: undefined });
    expect([stream.cancelled, over]).toEqual([['gone'], 1]);
  });
});
