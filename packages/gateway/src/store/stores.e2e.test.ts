// Every kind of store, against the same cases; shared ones on real servers, which are also killed and frozen.

import { inspect } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Log, Store } from '../services.js';
import { StoreAddress } from './connection.js';
import { createStore, type StoreKind } from './create-store.js';
import { PostgresStore } from './postgres-store.js';
import { CANARY, freePort, type RealServer, startServer } from './real-servers.fixture.js';
import { storeCases } from './store-cases.fixture.js';

const [redis, postgres] = await Promise.all([startServer('redis'), startServer('postgres')]);
const servers: [StoreKind, RealServer | string][] = [
  ['redis', redis],
  ['postgres', postgres],
];

afterAll(async () => {
  for (const [, server] of servers) if (typeof server !== 'string') await server.stop();
});

const opened: Store[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

async function open(url: string, options: Parameters<typeof createStore>[1] = {}): Promise<Store> {
  const store = await createStore(url, options);
  opened.push(store);
  return store;
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function runCases(kind: StoreKind, openOne: () => Promise<Store>, wait = sleep): void {
  for (const { name, skip, run } of storeCases) {
    const reason = skip?.[kind];
    if (reason !== undefined) it.skip(`${name} (not ${kind}: ${reason})`, () => {});
    else it(name, () => run(openOne, wait));
  }
}

describe('memory', () => {
  let now = 0;
  runCases(
    'memory',
    () => open('memory:', { now: () => now }),
    async (milliseconds) => {
      now += milliseconds;
    },
  );
});

/** Lines of a log, as they would be written. */
function lines(): { log: Log; text: () => string; levels: string[] } {
  const said: unknown[] = [];
  const levels: string[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    levels.push(level);
    said.push(fields, message);
  };
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { log, levels, text: () => inspect(said, { depth: 9, showHidden: true }) };
}

/** Neither what a client sees nor what an operator can print of it holds the password, however spelled. */
function expectNoSecret(...values: unknown[]): void {
  for (const value of values) {
    const text = inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value);
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(encodeURIComponent(CANARY));
  }
}

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.unreachable('it worked'),
    (error) => error as Error,
  );
}

/** Until it works, which it must within seconds. */
async function recovered(store: Store): Promise<void> {
  for (let attempts = 0; attempts < 100; attempts++) {
    const failed = await store.check().then(
      () => false,
      () => true,
    );
    if (!failed) return;
    await sleep(50);
  }
  expect.unreachable('the store did not recover');
}

for (const [kind, server] of servers) {
  if (typeof server === 'string') {
    it.skip(`${kind} was not tested: ${server}`, () => {});
    continue;
  }
  describe(kind, () => {
    runCases(kind, () => open(server.url));

    it('a server that dies and comes back: clear errors, no crash, then it works again', async () => {
      const { log, levels, text } = lines();
      const store = await open(server.url, { log, timeout: 1000 });
      await recovered(store);
      await store.put('outlives', 'value', 60);
      await server.kill();
      const errors = await Promise.all([
        failureOf(store.get('outlives')),
        failureOf(store.put('lost', 'value', 60)),
        failureOf(store.delete('outlives')),
        failureOf(store.check()),
      ]);
      for (const error of errors) {
        expect(error).toMatchObject({ code: 'overloaded', retryable: true });
        expect(error.message).toContain('The store of this gateway failed');
        expect(error.message).not.toContain('127.0.0.1');
      }
      await server.restart();
      await recovered(store);
      expect(await store.get('outlives')).toBe('value');
      expect(await store.get('lost')).toBeUndefined();
      expect(levels).toEqual(['warn', 'info']);
      expect(text()).toContain('127.0.0.1');
      expectNoSecret(errors, text());
    });

    it('a server that dies while it is asked: every operation ends', async () => {
      const store = await open(server.url, { timeout: 1000 });
      await recovered(store);
      const value = 'x'.repeat(10_000);
      const asked = Array.from({ length: 200 }, (_, at) => store.put(`asked:${at}`, value, 60));
      const ends = Promise.allSettled(asked);
      await server.kill();
      const codes = (await ends).map((end) => (end.status === 'rejected' ? end.reason.code : 'done'));
      expect(codes).toHaveLength(200);
      expect(['done', 'overloaded']).toEqual(expect.arrayContaining([...new Set(codes)]));
      await server.restart();
      await recovered(store);
    });

    it('a server that is frozen: clear errors, then it works again', async () => {
      const store = await open(server.url, { timeout: 700 });
      await recovered(store);
      await store.put('frozen', 'value', 60);
      server.pause();
      try {
        const error = await failureOf(store.get('frozen'));
        expect(error).toMatchObject({ code: 'overloaded', message: expect.stringContaining('failed') });
        expectNoSecret(error);
        await failureOf(store.check());
      } finally {
        server.resume();
      }
      await recovered(store);
      expect(await store.get('frozen')).toBe('value');
    });

    it('a store may be opened and closed while its server is away', async () => {
      const away = new URL(server.url);
      away.port = String(await freePort());
      const store = await open(away.href, { timeout: 200 });
      const error = await failureOf(store.check());
      expect(error).toMatchObject({ code: 'overloaded', message: expect.stringContaining('ECONNREFUSED') });
      expectNoSecret(error);
      await store.close();
    });

    it('a wrong password is said, and not which', async () => {
      const wrong = new URL(server.url);
      wrong.password = encodeURIComponent(`${CANARY} wrong`);
      const { log, text } = lines();
      const store = await open(wrong.href, { timeout: 1000, log });
      const error = await failureOf(store.get('key'));
      expect(error).toMatchObject({ code: 'overloaded', cause: expect.any(Error) });
      expect((error.cause as Error).message).toMatch(/password/i);
      expectNoSecret(error, text());
    });
  });
}

describe('the table in postgres', () => {
  if (typeof postgres === 'string') {
    it.skip(`was not tested: ${postgres}`, () => {});
    return;
  }
  const address = new StoreAddress(postgres.url);
  const query = async (text: string) => {
    const { default: pg } = await import('pg');
    const client = new pg.Client(postgres.url);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  };

  it('is made once when ten gateways start together', async () => {
    await query('drop table if exists dragoman_store');
    const stores = await Promise.all(Array.from({ length: 10 }, () => open(postgres.url)));
    await Promise.all(stores.map((store, at) => store.put(`start:${at}`, String(at), 60)));
    const values = await Promise.all(stores.map((_, at) => stores[9 - at]?.get(`start:${at}`)));
    expect(values).toEqual(Array.from({ length: 10 }, (_, at) => String(at)));
  });

  it('is made again if someone drops it', async () => {
    const store = await open(postgres.url);
    await store.put('before', 'value', 60);
    await query('drop table dragoman_store');
    await failureOf(store.get('before'));
    await store.put('after', 'value', 60);
    expect(await store.get('after')).toBe('value');
  });

  it('loses its expired rows in batches, and no others', async () => {
    const store = await PostgresStore.open(address, {});
    opened.push(store);
    await store.sweep();
    await query(`insert into dragoman_store select 'old:' || n, '', now() - interval '1 second'
      from generate_series(1, 1201) n`);
    await store.put('young', 'value', 60);
    expect(await store.sweep(500)).toBe(1201);
    expect(await store.get('young')).toBe('value');
    const { rows } = await query("select count(*)::int as left from dragoman_store where key like 'old:%'");
    expect(rows).toEqual([{ left: 0 }]);
  });

  it('loses them by itself', async () => {
    const store = await PostgresStore.open(address, { sweepEvery: 20 });
    opened.push(store);
    await store.put('soon over', 'value', 0.001);
    const count = async () =>
      (await query("select count(*)::int as n from dragoman_store where key = 'soon over'")).rows[0].n;
    await expect.poll(count).toBe(0);
  });
});
