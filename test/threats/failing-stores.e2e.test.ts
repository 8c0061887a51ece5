// Stores that hang and die under gateways that are processes: no answer is lost that was confirmed, and requests that do
// not need the store do not wait for it.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { ServeProcess } from '../../packages/cli/src/serve-process.fixture.js';
import { type RealServer, startServer } from '../../packages/gateway/src/store/real-servers.fixture.js';
import { oneOf } from '../effort.js';
import { type ModelBody, startTextModel } from '../scripted/text-model.js';
import { createRandom, openServedStage, post } from './served-process.js';

const KEY = 'a-key-for-failing-stores';
const stage = openServedStage();
const model = await startTextModel();
afterAll(() => model.close());
const echo = ({ messages }: ModelBody) => `You said: ${messages?.at(-1)?.content}`;
model.script(...Array<typeof echo>(2000).fill(echo));

const [redis, postgres] = await Promise.all([startServer('redis'), startServer('postgres')]);
afterAll(async () => {
  for (const server of [redis, postgres]) if (typeof server !== 'string') await server.stop();
});

async function serveWith(server: RealServer): Promise<ServeProcess> {
  const keys = [{ key: KEY, name: 'one', requestsPerMinute: 100_000, admin: true }];
  const upstream = { url: model.url, kind: 'chat' };
  stage.write('stored.json', {
    upstream,
    dialect: 'hermes',
    keys,
    store: server.url,
    log: { level: 'info', form: 'json' },
  });
  return stage.serve('stored.json');
}

const ask = (gateway: ServeProcess, more: object) =>
  post(`${gateway.url}/v1/responses`, { model: 'm', ...more }, KEY);
const find = (gateway: ServeProcess, id: string) =>
  fetch(`${gateway.url}/v1/responses/${id}`, { headers: { authorization: `Bearer ${KEY}` } });
const isReady = async (gateway: ServeProcess) => (await fetch(`${gateway.url}/readyz`)).status === 200;

const untilReady = (gateway: ServeProcess) => expect.poll(() => isReady(gateway)).toBe(true);

/** Asks for a stored response. Gives its id and text if the gateway confirmed that it is kept. */
async function kept(gateway: ServeProcess, input: string): Promise<[id: string, text: string] | undefined> {
  try {
    const response = await ask(gateway, { input, store: true });
    const { id, store, output } = (await response.json()) as { id: string; store: unknown; output: unknown };
    return response.status === 200 && store === true ? [id, JSON.stringify(output)] : undefined;
  } catch {
    return undefined;
  }
}

async function expectAllKept(gateway: ServeProcess, all: readonly ([string, string] | undefined)[]) {
  const confirmed = all.filter((one) => one !== undefined);
  const found = await Promise.all(
    confirmed.map(async ([id]) => {
      const { output } = (await (await find(gateway, id)).json()) as { output: unknown };
      return JSON.stringify(output);
    }),
  );
  expect(found).toEqual(confirmed.map(([, text]) => text));
  expect(new Set(confirmed.map(([id]) => id)).size).toBe(confirmed.length);
  return confirmed.length;
}

describe('a Redis that hangs (SIGSTOP)', () => {
  it('holds up what needs it and nothing else, and all is there when it goes on', async ({ skip }) => {
    if (typeof redis === 'string') return skip(redis);
    const gateway = await serveWith(redis);
    const before = await kept(gateway, 'Remember this.');
    redis.pause();
    try {
      const [refused, unstored, health] = await Promise.all([
        ask(gateway, { input: 'Keep it.', store: true }),
        ask(gateway, { input: 'Do not.', store: false }),
        fetch(`${gateway.url}/healthz`),
      ]);
      expect([refused.status, unstored.status, health.status]).toEqual([503, 200, 200]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await isReady(gateway)).toBe(false);
    } finally {
      redis.resume();
    }
    await untilReady(gateway);
    expect(await expectAllKept(gateway, [before, await kept(gateway, 'And this.')])).toBe(2);
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });
});

describe('a PostgreSQL that dies in a write', () => {
  it('loses no response that was confirmed, and those that were not are refused or not kept', async ({
    skip,
  }) => {
    if (typeof postgres === 'string') return skip(postgres);
    const gateway = await serveWith(postgres);
    const first = await kept(gateway, 'Remember this.');
    const asked = Array.from({ length: 40 }, async (_, at) => {
      await wait(at * 8);
      return kept(gateway, `Number ${at}. ${'words '.repeat(300)}`);
    });
    await wait(150);
    await postgres.kill();

    await postgres.restart();

    await untilReady(gateway);

    const all = [first, ...(await Promise.all(asked)), await kept(gateway, 'And this.')];
    expect(await expectAllKept(gateway, all)).toBeGreaterThan(2);
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });
});

describe.each([
  ['Redis', redis],
  ['PostgreSQL', postgres],
] as const)('two gateways over one %s', (_, server) => {
  it.for(oneOf(5, [1, 2, 3, 4, 5]))(
    'one is killed at random: what it confirmed, the other continues (seed %i)',
    async (seed, { skip }) => {
      if (typeof server === 'string') return skip(server);
      const random = createRandom(seed);
      const [survivor, victim] = await Promise.all([serveWith(server), serveWith(server)]);
      await untilReady(survivor);
      const asked = Array.from({ length: 60 }, async (_, at) => {
        await wait(random() * 300);
        return kept(at % 2 === 0 ? survivor : victim, `Number ${at}.`);
      });
      await wait(50 + random() * 200);
      victim.child.kill('SIGKILL');
      const all = await Promise.all(asked);
      expect(await expectAllKept(survivor, all)).toBeGreaterThanOrEqual(30);
      const [id] = all.findLast((one) => one !== undefined) ?? [];
      const next = await ask(survivor, { input: 'Again?', previous_response_id: id, store: true });
      expect(next.status).toBe(200);
      expect(await survivor.stop('SIGTERM')).toBe(0);
    },
  );
});
