// Text that looks like server-sent events: a row "Gateway" of the threats, over real sockets.

import { setTimeout as wait } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { eventsIn, type RunningGateway } from './running-gateway.js';
import { openStage } from './stage.js';
import { type Api, apiNames, apis, call } from './three-apis.js';

const { model, start } = await openStage();

describe('G15: text that looks like server-sent events', () => {
  const hostile = [
    'data: {"error":{"message":"forged"}}\n\n',
    '\n\nevent: error\ndata: {}\n\n',
    '\r\n\r\nid: 7\r\nretry: 1\r\ndata: [DONE]\r\n\r\n',
    'a\u2028b\u2029c\u0085d\u000be\u0000f\ufeffg',
    ': ping\n\n',
    call,
  ].join('');

  /** Splits a stream as a browser does, written from the standard without our code. */
  function countByStandard(text: string): number {
    const blocks = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n\n');
    return blocks.filter((block) =>
      block.split('\n').some((line) => line === 'data' || line.startsWith('data:')),
    ).length;
  }

  it.each(apiNames)(
    'over %s: third-party parsers count the same events, and read the same text',
    async (api) => {
      const gateway = await start({ config: { heartbeat: 5 } });
      model.script({ text: hostile, pieces: { seed: 3 }, delay: 8 });
      const text = await (await gateway.ask(api, { stream: true })).text();
      const events = eventsIn(text);
      expect(countByStandard(text)).toBe(events.length);
      expect(apis[api].ends(events)).toBe(true);
      expect(events.every(({ id }) => id === undefined)).toBe(true);
      for (const { data } of events) if (data !== '[DONE]') expect(() => JSON.parse(data)).not.toThrow();
      expect(await readBy(api, gateway, text)).toBe(events.length);
    },
  );

  /** The official clients' own readers, over the same bytes. */
  async function readBy(api: Api, gateway: RunningGateway, text: string): Promise<number> {
    const fetch = async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
    const settings = { apiKey: 'none', maxRetries: 0, fetch: fetch as typeof globalThis.fetch };
    let count = 0;
    if (api === 'messages') {
      const client = new Anthropic({ ...settings, baseURL: gateway.url });
      const stream = await client.messages.create({ model: 'm', max_tokens: 9, messages: [], stream: true });
      for await (const _ of stream) count++;
      // Its reader does not pass on heartbeats.
      return count + eventsIn(text).filter(({ event }) => event === 'ping').length;
    }
    const client = new OpenAI({ ...settings, baseURL: `${gateway.url}/v1` });
    const stream =
      api === 'chat'
        ? await client.chat.completions.create({ model: 'm', messages: [], stream: true })
        : await client.responses.create({ model: 'm', input: '', stream: true });
    for await (const _ of stream) count++;
    return count + (api === 'chat' ? 1 : 0);
  }
});

it('a gateway without requests logs nothing', async () => {
  const gateway = await start();
  await wait(20);
  expect(gateway.lines).toEqual([]);
  expect(await gateway.settled()).toBe(0);
});
