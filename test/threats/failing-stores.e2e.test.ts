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
/** Its requests are not counted. */
const UNLIMITED = 'a-key-without-a-limit';
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
  const keys = [
    { key: KEY, name: 'one', requestsPerMinute: 100_000, admin: true },
    { key: UNLIMITED, name: 'two' },
  ];
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

const ask = (gateway: ServeProcess, more: object, key = KEY) =>
  post(`${gateway.url}/v1/responses`, { model: 'm', ...more }, key);
const find = (gateway: ServeProcess, id: string) =>
  fetch(`${gateway.url}/v1/responses/${id}`, { headers: { authorization: `Bearer ${KEY}` } });
const isReady = async (gateway: ServeProcess) => (await fetch(`${gateway.url}/readyz`)).status === 200;

const untilReady = (gateway: ServeProcess) => expect.poll(() => isReady(gateway)).toBe(true);

type Kept = [id: string, text: string];

/** Asks for a stored response. Gives how it was answered, with its id and text if the gateway confirmed that it is kept. */
async function store(gateway: ServeProcess, input: string): Promise<{ answer: string; kept?: Kept }> {
  const response = await ask(gateway, { input, store: true });
  const { id, store, output } = (await response.json()) as { id: string; store: unknown; output: unknown };
  if (response.status !== 200) return { answer: String(response.status) };
  if (store !== true) return { answer: `200, store: ${store}` };
  return { answer: '200, kept', kept: [id, JSON.stringify(output)] };
}

/** Undefined if it is not kept, also because the gateway is gone. */
const kept = (gateway: ServeProcess, input: string): Promise<Kept | undefined> =>
  store(gateway, input).then(
    (stored) => stored.kept,
    () => undefined,
  );

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
      const answered: [what: string, status: number][] = [];
      const note = async (what: string, asked: Promise<Response>) => {
        const response = await asked;
        await response.text();
        answered.push([what, response.status]);
        return response;
      };
      // It is asked first and answered last: the others do not wait as it does.
      const stored = note('stored', ask(gateway, { input: 'Keep it.', store: true }, UNLIMITED));
      await note('health', fetch(`${gateway.url}/healthz`));
      await note('unstored', ask(gateway, { input: 'Do not.', store: false }, UNLIMITED));
      // One whose count is in Redis is answered as well, and counted by the gateway alone meanwhile.
      const counted = ask(gateway, { input: 'Do not.', store: false });
      const refused = await stored;
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answered).toEqual([
        ['health', 200],
        ['unstored', 200],
        ['stored', 503],
      ]);
      expect((await counted).status).toBe(200);
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
      return store(gateway, `Number ${at}. ${'words '.repeat(300)}`);
    });
    await wait(150);
    await killInWrite(postgres);

    await postgres.restart();

    await untilReady(gateway);

    const answers = await Promise.all(asked);
    const unconfirmed = answers.filter((one) => !one.kept).map(({ answer }) => answer);
    expect(unconfirmed.length).toBeGreaterThan(0);
    expect(unconfirmed.filter((answer) => answer !== '503' && answer !== '200, store: false')).toEqual([]);
    const all = [first, ...answers.map((one) => one.kept), await kept(gateway, 'And this.')];
    expect(await expectAllKept(gateway, all)).toBeGreaterThan(2);
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });

  /** The table is locked, so that writes wait in PostgreSQL; it is killed when one does. */
  async function killInWrite(server: RealServer): Promise<void> {
    const { default: pg } = await import('pg');
    const [locking, looking] = [new pg.Client(server.url), new pg.Client(server.url)];
    // They end with the server.
    for (const client of [locking, looking]) await client.on('error', () => {}).connect();
    await locking.query('begin; lock table dragoman_store in access exclusive mode');
    const writes = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~* '^\\s*insert'`;
    await expect.poll(async () => (await looking.query(writes)).rowCount).toBeGreaterThan(0);
    await server.kill();
  }
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
