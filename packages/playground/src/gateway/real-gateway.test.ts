// The page against a real gateway: the inspector's JSON has the shapes that the page reads.

import { configFromFlags, type Gateway, type InspectorEvent, serve } from '@dragoman/gateway';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGateway } from './gateway.js';

let running: Gateway;

beforeAll(async () => {
  const result = configFromFlags({ demo: true, port: 0, log: 'silent', inspect: 5 }, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  running = await serve({ ...result.config, shutdownSeconds: 0.2 });
});
afterAll(() => running.close());

it('finds an exchange by the id it was sent with, live and afterwards', async () => {
  const gateway = createGateway({ base: `${running.url}/`, key: () => '' });
  const stop = new AbortController();
  const live = await gateway.live({ id: 'mine', signal: stop.signal });
  const messages = [{ role: 'user', content: 'Hi' }];
  for await (const _ of gateway.chat(
    { model: 'demo', messages, stream: true },
    { id: 'mine', signal: stop.signal },
  )) {
    // The record is what is looked at here.
  }
  const events: InspectorEvent[] = [];
  for await (const event of live) {
    events.push(event);
    if (event.type === 'exchange-end') break;
  }
  const record = await gateway.exchange('mine');
  expect(record).toMatchObject({ model: 'demo', status: 200, open: false, cut: [] });
  const raw = events.flatMap((event) => (event.type === 'upstream-text' ? [event.text] : [])).join('');
  expect(raw).not.toBe('');
  expect(record.attempts[0]?.text).toBe(raw);
  expect(record.received).toBe(raw.length);
  expect(record.attempts[0]?.events.at(-1)?.at[1]).toBeLessThanOrEqual(record.duration ?? 0);
  expect((await gateway.exchanges()).exchanges.map(({ id }) => id)).toEqual(['mine']);
});
