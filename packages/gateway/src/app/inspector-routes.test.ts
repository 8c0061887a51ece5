import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFromFlags } from '../config/index.js';
import { type Gateway, serve } from '../server/serve.js';

let gateway: Gateway;

beforeAll(async () => {
  const result = configFromFlags({ demo: true, port: 0, log: 'silent', inspect: 5 }, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  gateway = await serve({ ...result.config, shutdownSeconds: 0.2 });
});
afterAll(() => gateway.close());

async function ask(id: string): Promise<void> {
  // The demo model takes its time with each word: a few are enough.
  const messages = [{ role: 'user', content: 'Hi' }];
  const body = JSON.stringify({ model: 'demo', messages, max_tokens: 8 });
  const headers = { 'x-request-id': id };
  const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body, headers });
  await response.text();
}

/** Opened before anything happens, and read until this exchange is over. */
async function watch(query: string, until: string, act: () => Promise<void>) {
  const response = await fetch(`${gateway.url}/inspector/events?${query}`);
  await act();
  const events: { type: string; id: string }[] = [];
  let rest = '';
  const utf8 = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const blocks = (rest + utf8.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data) events.push(JSON.parse(data.slice(6)));
    }
    if (events.some(({ type, id }) => type === 'exchange-end' && id === until)) break;
  }
  return events;
}

describe('the live stream of the inspector', () => {
  it('tells of one exchange where one is asked for', async () => {
    const events = await watch('id=second', 'second', async () => {
      await ask('first');
      await ask('second');
    });
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(['second']));
    expect(events.map(({ type }) => type)).toContain('upstream-text');
  });

  it('tells what changes the list, and nothing that was said', async () => {
    const events = await watch('only=list', 'fourth', async () => {
      await ask('third');
      await ask('fourth');
    });
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(['third', 'fourth']));
    expect(events.filter(({ type }) => !type.startsWith('exchange-'))).toEqual([]);
  });
});
