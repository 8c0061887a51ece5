// A key owns what is kept for it, whatever its place among the keys: a reload that removes the first of a list gives the
// next one neither its responses, nor its counts, nor its turns, nor its rights.

import { expect, test } from 'vitest';
import { parseConfig } from '../../packages/gateway/src/config/index.js';
import { gatewayFor, json, standIn } from '../../packages/gateway/src/server/stand-in.fixture.js';

const ALICE = 'alice-s-own-key';
const BOB = 'bob-s-own-key';

const answer = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
};

async function served(keys: unknown) {
  const { url } = await standIn((_, response) => json(response, answer));
  const config = (list: unknown) => {
    const result = parseConfig(
      JSON.stringify({ upstream: { url, stream: false }, keys: list, store: 'memory:' }),
    );
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.config;
  };
  const gateway = await gatewayFor({ url, stream: false }, { store: 'memory:', keys });
  const ask = (path: string, key: string, body?: object) =>
    fetch(`${gateway.url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
      ...(body && { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) }),
    });
  return { ask, reload: (list: unknown) => gateway.reload(config(list)) };
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

test('logs and metrics name a key without a name by its digest', async () => {
  const { ask } = await served([{ key: ALICE, admin: true }, BOB]);
  const reply = await ask('/v1/chat/completions', BOB, { messages: [{ role: 'user', content: 'Hi.' }] });
  expect(reply.status).toBe(200);
  const metrics = await (await ask('/metrics', ALICE)).text();
  expect(metrics).not.toContain(BOB);
  expect(metrics).not.toContain('key-1');
});
