import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFromFlags } from '../config/index.js';
import { type Gateway, serve } from '../server/serve.js';
import { gatewayFor, json, says, standIn } from '../server/stand-in.fixture.js';

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

describe('many live streams of the inspector', () => {
  it('leave room for others where only their heads are asked for', async () => {
    const open = (method: string) => fetch(`${gateway.url}/inspector/events`, { method });
    for (let n = 0; n < 40; n++) expect((await open('HEAD')).status).toBe(200);
    const stream = await open('GET');
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
  });

  it('are 32 at most, and one that ends makes room', async () => {
    const open = () => fetch(`${gateway.url}/inspector/events`);
    const streams = await Promise.all(Array.from({ length: 32 }, open));
    expect(streams.map(({ status }) => status)).toEqual(Array(32).fill(200));
    const refused = await open();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toEqual({ error: expect.stringContaining('at most 32') });
    await streams[0]?.body?.cancel();
    await expect.poll(async () => (await open()).status).toBe(200);
    await Promise.all(streams.slice(1).map(({ body }) => body?.cancel()));
  });
});

describe('the members that are added to a request', () => {
  const tool = {
    type: 'function',
    function: { name: 'now', parameters: { type: 'object', properties: {} } },
  };
  const body = { top_k: 40, stream_options: null, metadata: { token: 'a-long-token-of-the-host' } };

  async function exchange(upstream: object, answer: Parameters<typeof standIn>[0]) {
    const { url, posts } = await standIn(answer);
    const served = await gatewayFor({ url, ...upstream }, { inspect: 5, dialect: 'kimi-k2' });
    const messages = [{ role: 'user', content: 'Hi' }];
    const request = { model: 'm', messages, tools: [tool], reasoning_effort: 'none' };
    const headers = { 'x-request-id': 'one' };
    const asked = { method: 'POST', headers, body: JSON.stringify(request) };
    await (await fetch(`${served.url}/v1/chat/completions`, asked)).text();
    const record = await (await fetch(`${served.url}/inspector/exchanges/one`)).json();
    const { attempts } = record as { attempts: [{ members: Record<string, unknown> }] };
    return { shown: attempts[0].members, sent: posts().at(-1)?.body };
  }

  it.each(['chat', 'native'])('are shown as they are sent, keys hidden: %s', async (kind) => {
    const upstream = { kind, engine: 'vllm', body };
    const { shown, sent } = await exchange(upstream, (_, response) => says(response, 'Hello.'));
    const thinking = { enable_thinking: false, thinking: false };
    const tokens = kind === 'chat' ? { skip_special_tokens: false } : {};
    expect(shown).toEqual({
      ...tokens,
      ...body,
      chat_template_kwargs: thinking,
      metadata: { token: '[hidden]' },
    });
    const { stream_options, ...added } = shown;
    expect(sent).toMatchObject({ ...added, metadata: body.metadata });
    expect(sent).not.toHaveProperty('stream_options');
  });

  it('are not shown where the upstream refused them', async () => {
    const refusal = { error: { message: 'Unrecognized request argument supplied: skip_special_tokens' } };
    const { shown, sent } = await exchange({ engine: 'vllm' }, (asked, response) =>
      'skip_special_tokens' in asked.body ? json(response, refusal, 400) : says(response, 'Hello.'),
    );
    expect(sent).not.toHaveProperty('skip_special_tokens');
    expect(shown).toEqual({ chat_template_kwargs: sent.chat_template_kwargs });
  });
});
