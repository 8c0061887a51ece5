// A key owns what is kept for it, whatever its place among the keys: a reload that removes the first of a list gives the
// next one neither its responses, nor its counts, nor its turns, nor its rights. And clients of a model in this process
// take turns by their keys.

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Upstream } from '@dragoman/core/bridge';
import { hermes } from '@dragoman/core/dialects';
import { FairQueue } from '@dragoman/local';
import { expect, test } from 'vitest';
import { createApp } from '../../packages/gateway/src/app/app.js';
import { parseConfig } from '../../packages/gateway/src/config/index.js';
import { createResponses } from '../../packages/gateway/src/responses/index.js';
import { gatewayFor, json, standIn } from '../../packages/gateway/src/server/stand-in.fixture.js';

const ALICE = 'alice-s-own-key';
const BOB = 'bob-s-own-key';

const answer = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
};

const configOf = (settings: object) => {
  const result = parseConfig(JSON.stringify(settings));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
};

async function served(keys: unknown, says: object = answer, kind = 'native') {
  const { url, posts } = await standIn((_, response) => json(response, says));
  const upstream = { url, stream: false, kind };
  const more = { store: 'memory:', dialect: 'hermes', log: { level: 'info', form: 'json' } };
  const config = (list: unknown) => configOf({ upstream, keys: list, ...more });
  const lines: string[] = [];
  const gateway = await gatewayFor(upstream, { keys, ...more }, false, (line) => lines.push(line));
  const logged = () => lines.map((line) => JSON.parse(line) as { key?: string });
  const ask = (path: string, key: string, body?: object) =>
    fetch(`${gateway.url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
      ...(body && { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) }),
    });
  return { ask, posts, logged, reload: (list: unknown) => gateway.reload(config(list)) };
}

test.each([
  ['a list of keys', [ALICE, BOB], [BOB]],
  ['a list of maps without names', [{ key: ALICE }, { key: BOB }], [{ key: BOB }]],
])('%s: the key that moves up reads nothing of the one before it', async (_, before, after) => {
  const { ask, reload } = await served(before);
  const made = (await (await ask('/v1/responses', ALICE, { input: 'A secret.' })).json()) as { id: string };
  reload(after);
  expect((await ask(`/v1/responses/${made.id}`, BOB)).status).toBe(404);
  const next = { input: 'And?', previous_response_id: made.id };
  expect((await ask('/v1/responses', BOB, next)).status).toBe(400);
  expect((await ask('/v1/responses', ALICE, next)).status).toBe(401);
});

test('a key that comes back finds what was its own, at any place', async () => {
  const { ask, reload } = await served([ALICE, BOB]);
  const made = (await (await ask('/v1/responses', BOB, { input: 'Mine.' })).json()) as { id: string };
  reload([BOB]);
  expect((await ask(`/v1/responses/${made.id}`, BOB)).status).toBe(200);
});

test('nobody becomes an admin by being the only key left', async () => {
  const { ask, reload } = await served([ALICE, BOB]);
  reload([BOB]);
  expect((await ask('/metrics', BOB)).status).toBe(403);
  reload([{ key: BOB, admin: true }]);
  expect((await ask('/metrics', BOB)).status).toBe(200);
});

test.each([[undefined], [[]]])('a reload to no keys (%j) is refused: nobody is let in', async (none) => {
  const { ask, reload } = await served([ALICE, { key: BOB, admin: true }]);
  expect(reload(none)).toBe(false);
  expect((await ask('/v1/responses', 'no key of ours', { input: 'Hi.' })).status).toBe(401);
  expect((await ask('/metrics', ALICE)).status).toBe(403);
  expect((await ask('/v1/responses', ALICE, { input: 'Hi.' })).status).toBe(200);
  expect(reload([BOB])).toBe(true);
  expect((await ask('/v1/responses', ALICE, { input: 'Hi.' })).status).toBe(401);
});

test('a key is limited by its own requests, not by those of the key that had its place', async () => {
  const limited = (key: string) => ({ key, requestsPerMinute: 2 });
  const { ask, reload } = await served([limited(ALICE), limited(BOB)]);
  const say = (key: string) =>
    ask('/v1/chat/completions', key, { messages: [{ role: 'user', content: 'Hi.' }] });
  for (let n = 0; n < 2; n++) expect((await say(ALICE)).status).toBe(200);
  expect((await say(ALICE)).status).toBe(429);
  reload([limited(BOB)]);
  expect((await say(BOB)).status).toBe(200);
});

test('logs name a key without a name by its digest, at any place, and metrics name no key', async () => {
  const admin = { key: 'the-key-of-an-admin', name: 'admin', admin: true };
  const { ask, reload, logged } = await served([ALICE, BOB, admin]);
  const sayHi = async () => {
    const reply = await ask('/v1/chat/completions', BOB, { messages: [{ role: 'user', content: 'Hi.' }] });
    expect(reply.status).toBe(200);
    await reply.text();
  };
  const named = () => logged().flatMap(({ key }) => key ?? []);
  const digest = createHash('sha256').update(BOB).digest('hex');
  const name = `key-${digest.slice(0, 8)}`;
  await sayHi();
  await expect.poll(named).toEqual([name]);
  reload([BOB, admin]);
  await sayHi();
  await expect.poll(named).toEqual([name, name]);
  const metrics = await (await ask('/metrics', admin.key)).text();
  expect(metrics).toMatch(/^dragoman_requests_total\{.*\} 2$/m);
  for (const word of [ALICE, BOB, admin.key, digest.slice(0, 8), 'key-', '"admin"'])
    expect(metrics).not.toContain(word);
});

test('the words of a turn come back for its own key alone', async () => {
  // With blanks that no writer of ours makes: only who has kept the words can repeat them.
  const content = '<tool_call>\n{"name":   "look", "arguments": {}}\n</tool_call>';
  const says = { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] };
  const { ask, posts, reload } = await served([ALICE, BOB], says, 'chat');
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
  const question = { role: 'user', content: 'Look.' };
  const first = await ask('/v1/chat/completions', ALICE, { messages: [question], tools });
  const { choices } = (await first.json()) as { choices: { message: { tool_calls: { id: string }[] } }[] };
  const { message } = choices[0] ?? {};
  const id = message?.tool_calls[0]?.id;
  const messages = [question, message, { role: 'tool', tool_call_id: id, content: 'Blue.' }];
  const repeats = async (key: string) => {
    await (await ask('/v1/chat/completions', key, { messages, tools })).text();
    return JSON.stringify(posts().at(-1)?.body).includes(String.raw`\"name\":   \"look\"`);
  };
  expect(await repeats(BOB)).toBe(false);
  expect(await repeats(ALICE)).toBe(true);
  reload([BOB]);
  expect(await repeats(BOB)).toBe(false);
});

test('a key with many requests to a model in this process delays another by one of them', async () => {
  const queue = new FairQueue({ slots: 1, waiting: 100 });
  const turns: string[] = [];
  let free = () => {};
  const held = new Promise<void>((go) => {
    free = go;
  });
  const upstream: Upstream = {
    takes: 'messages',
    media: false,
    async *ask({ conversation }, { client, signal }) {
      const leave = await queue.enter(client, signal);
      turns.push(JSON.stringify(conversation).includes('from Bob') ? 'bob' : 'alice');
      if (turns.length === 1) await held;
      leave();
      yield { type: 'text-delta', text: 'Hi.' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const quiet = () => undefined;
  const app = createApp(configOf({ upstream: 'model.gguf', keys: [ALICE, BOB] }), {
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    watcher: [],
    limiter: { take: async () => ({ ok: true }) },
    responses: createResponses(undefined, 0),
    local: { names: () => ['m'], find: () => ({ upstream, dialect: hermes }) },
  });
  const ask = async (key: string, content: string) => {
    const headers = { host: '127.0.0.1', authorization: `Bearer ${key}` };
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
    const url = 'http://127.0.0.1/v1/chat/completions';
    return (await app.fetch(new Request(url, { method: 'POST', headers, body }))).status;
  };
  const asked = Array.from({ length: 9 }, () => ask(ALICE, 'Hello.'));
  while (queue.size.waiting < 8) await wait(1);
  asked.push(ask(BOB, 'Hello from Bob.'));
  while (queue.size.waiting < 9) await wait(1);
  free();
  expect(await Promise.all(asked)).toEqual(Array(10).fill(200));
  expect(turns.indexOf('bob')).toBeLessThanOrEqual(2);
});
