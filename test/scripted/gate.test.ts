import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Gate, openGate, type Responder } from './gate.js';

let gate: Gate;
async function open(respond: Responder): Promise<void> {
  gate = await openGate(respond);
}
afterEach(() => gate.close());

describe('the gate', () => {
  it('carries method, path, headers and body in, and status, headers and body out', async () => {
    await open(async (request) => {
      const { pathname, search } = new URL(request.url);
      const seen = [request.method, pathname, search, request.headers.get('x-in'), await request.text()];
      return Response.json(seen, { status: 418, headers: { 'x-out': 'there' } });
    });
    const headers = { 'x-in': 'here' };
    const response = await fetch(`${gate.url}/v1/a?b=c`, { method: 'POST', body: 'Grüße', headers });
    expect([response.status, response.headers.get('x-out')]).toEqual([418, 'there']);
    expect(await response.json()).toEqual(['POST', '/v1/a', '?b=c', 'here', 'Grüße']);
  });

  it('tells the responder that a client has left, before and after the headers', async () => {
    for (const answered of [false, true]) {
      let cancelled = false;
      const arrived: { signal?: AbortSignal } = {};
      await open(async (request) => {
        arrived.signal = request.signal;
        if (!answered) return new Promise(() => {});
        const cancel = () => {
          cancelled = true;
        };
        return new Response(new ReadableStream({ cancel }));
      });
      const leaving = new AbortController();
      const asked = fetch(gate.url, { signal: leaving.signal }).catch(() => {});
      await vi.waitUntil(() => arrived.signal);
      if (answered) await asked;
      expect(arrived.signal?.aborted).toBe(false);
      leaving.abort();
      await vi.waitUntil(() => arrived.signal?.aborted);
      if (answered) await vi.waitUntil(() => cancelled);
      await gate.close();
    }
  });

  it('reads no faster than the client does', async () => {
    let made = 0;
    const chunk = new Uint8Array(64 * 1024);
    await open(async () => {
      const pull = (controller: ReadableStreamDefaultController) => {
        made++;
        controller.enqueue(chunk);
      };
      return new Response(new ReadableStream({ pull }));
    });
    const socket = connect(Number(new URL(gate.url).port), '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await vi.waitUntil(() => made > 0);
    // It stops by itself: what the sockets hold is full.
    let before = -1;
    while (made !== before) {
      before = made;
      await wait(100);
    }
    expect(made).toBeLessThan(1000);
    socket.destroy();
  });

  it('does not end clean where the body breaks off', async () => {
    const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
    await open(async () => {
      let sent = 0;
      const pull = (controller: ReadableStreamDefaultController) => {
        if (sent++ === 0) controller.enqueue(new Uint8Array(3));
        else controller.error(new Error('broken'));
      };
      return new Response(new ReadableStream({ pull }));
    });
    const response = await fetch(gate.url);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(silenced).toHaveBeenCalledOnce();
    silenced.mockRestore();
  });
});
