import { describe, expect, it } from 'vitest';
import { createGateway } from '../gateway/gateway.js';
import { WorkerFetch } from './tiny-fetch.js';
import type { TinyRequest } from './tiny-messages.js';

function scene() {
  const sent: TinyRequest[] = [];
  const server = new WorkerFetch((request) => sent.push(request));
  const gateway = createGateway({ base: 'http://page.invalid/', key: () => '', fetch: server.fetch });
  return { sent, server, gateway };
}

const head = { type: 'head', id: 'one', status: 200, contentType: 'text/event-stream' } as const;

describe('the worker of the tiny model as a gateway', () => {
  it('gives the chunks of an answer, and what the inspector tells', async () => {
    const { sent, server, gateway } = scene();
    const { signal } = new AbortController();
    const live = await gateway.live({ id: 'one', signal });
    const chat = gateway.chat({ model: 'browser/hermes' }, { id: 'one', signal });
    const first = chat.next();
    await expect
      .poll(() => sent)
      .toMatchObject([{ type: 'ask', id: 'one', body: '{"model":"browser/hermes"}' }]);
    server.take(head);
    server.take({
      type: 'event',
      id: 'one',
      event: { type: 'upstream-text', choice: 0, attempt: 0, text: 'Hi' },
    });
    server.take({ type: 'piece', id: 'one', text: 'data: {"a":1}\n\nda' });
    expect((await first).value).toEqual({ a: 1 });
    server.take({ type: 'piece', id: 'one', text: 'ta: [DONE]\n\n' });
    server.take({ type: 'end', id: 'one' });
    expect((await chat.next()).done).toBe(true);
    const events = [];
    for await (const event of live) events.push(event.type);
    expect(events).toEqual(['upstream-text', 'exchange-end']);
  });

  it('gives its errors as those of a gateway', async () => {
    const { server, gateway, sent } = scene();
    const chat = gateway.chat({}, { id: 'one', signal: new AbortController().signal }).next();
    await expect.poll(() => sent.length).toBe(1);
    server.take({ ...head, status: 404, contentType: 'application/json' });
    server.take({ type: 'piece', id: 'one', text: '{"error":{"message":"no such model"}}' });
    server.take({ type: 'end', id: 'one' });
    await expect(chat).rejects.toMatchObject({ kind: 'refused', message: 'no such model' });
  });

  it.each([false, true])(
    'is stopped by the person, before the first word or behind it (%s)',
    async (begun) => {
      const { server, gateway, sent } = scene();
      const stop = new AbortController();
      const chat = gateway.chat({}, { id: 'one', signal: stop.signal });
      const first = chat.next();
      await expect.poll(() => sent.length).toBe(1);
      if (begun) {
        server.take(head);
        server.take({ type: 'piece', id: 'one', text: 'data: 1\n\n' });
        await first;
      }
      stop.abort();
      await expect(begun ? chat.next() : first).rejects.toThrow();
      expect(sent.some(({ type }) => type === 'stop')).toBe(true);
      // What the worker still tells has no place.
      server.take({ type: 'piece', id: 'one', text: 'data: 2\n\n' });
      server.take({ type: 'end', id: 'one' });
    },
  );
});
