// L15, a client that disconnects: how soon the library and the gateway abort the upstream request, over real sockets.

import { setTimeout as wait } from 'node:timers/promises';
import { createResponder } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../scripted/reply.js';
import { openStage } from './stage.js';
import { apis, call } from './three-apis.js';

const { model, start } = await openStage();

const respond = createResponder({
  upstream: { url: model.url, tools: false, retryDelay: 1 },
  dialect: 'hermes',
});

function ask(signal: AbortSignal): Request {
  const body = JSON.stringify({ ...apis.chat.body, stream: true });
  return new Request(`http://test.invalid${apis.chat.path}`, { method: 'POST', body, signal });
}

describe('L15: a client of the library disconnects', () => {
  it.each(['before the headers', 'before the first token', 'inside a call'])(
    '%s: the upstream request is aborted within 100 ms',
    async (when) => {
      const fault: Fault | undefined =
        when === 'before the headers'
          ? { type: 'no-answer' }
          : { type: 'silence', after: when === 'inside a call' ? 12 : 1 };
      model.script({ text: call, fault });
      const leaving = new AbortController();
      const answered = respond(ask(leaving.signal));
      answered.catch(() => {});
      const seen = await model.arrived(0);
      if (when !== 'before the headers') {
        const response = await answered;
        const reader = response.body?.getReader();
        void reader?.read().catch(() => {});
        await wait(20);
      }
      const left = performance.now();
      leaving.abort();
      expect(await seen.over).toBe(true);
      expect((seen.leftAt ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(100);
    },
  );
});

describe('L15: a client of the gateway disconnects', () => {
  // One process holds the client, the gateway and the model: a pause of its garbage collector is no fault. Tried again.
  it.each(['before the headers', 'before the first token', 'inside a call', 'while nothing is streamed'])(
    '%s: the upstream request is aborted within 100 ms',
    { retry: 2 },
    async (when) => {
      const gateway = await start();
      const streams = when !== 'while nothing is streamed';
      const after = when === 'inside a call' ? 12 : 1;
      const fault: Fault =
        when === 'before the headers' || !streams ? { type: 'no-answer' } : { type: 'silence', after };
      model.script({ text: call, fault });
      const leaving = new AbortController();
      const answered = gateway.ask('chat', { stream: streams }, { signal: leaving.signal });
      answered.then((response) => response.text()).catch(() => {});
      const seen = await model.arrived(0);
      if (fault.type === 'silence') await answered;
      await wait(30);
      const left = performance.now();
      leaving.abort();
      expect(await seen.over).toBe(true);
      expect((seen.leftAt ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(100);
      expect(await gateway.settled()).toBe(1);
      expect(gateway.lines.join('')).toContain('the client disconnected');
    },
  );
});
