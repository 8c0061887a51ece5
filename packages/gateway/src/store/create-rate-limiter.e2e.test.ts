import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Log } from '../services.js';
import {
  type ClosableRateLimiter,
  createRateLimiter,
  type RateLimiterOptions,
} from './create-rate-limiter.js';
import type { StoreKind } from './create-store.js';
import { CANARY, type RealServer, startServer } from './real-servers.fixture.js';

const [redis, postgres] = await Promise.all([startServer('redis'), startServer('postgres')]);
const servers: [StoreKind, RealServer | string][] = [
  ['redis', redis],
  ['postgres', postgres],
];
afterAll(async () => {
  for (const [, server] of servers) if (typeof server !== 'string') await server.stop();
});

const opened: ClosableRateLimiter[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((limiter) => limiter.close()));
});

async function open(url: string, options: RateLimiterOptions = {}): Promise<ClosableRateLimiter> {
  const limiter = await createRateLimiter(url, options);
  opened.push(limiter);
  return limiter;
}

let keys = 0;
const fresh = () => `key ${process.pid} ${keys++}`;

async function takes(limiter: ClosableRateLimiter, key: string, count: number, perMinute: number) {
  return Promise.all(Array.from({ length: count }, () => limiter.take(key, perMinute)));
}

/** What every limiter does. */
function runCases(url: string): void {
  it('lets as many through as the key may, and says when to come back', async () => {
    const limiter = await open(url);
    const key = fresh();
    for (let at = 0; at < 3; at++) expect(await limiter.take(key, 3)).toEqual({ ok: true });
    const refused = await limiter.take(key, 3);
    if (refused.ok) expect.unreachable('one too many');
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(refused.retryAfter).toBeLessThanOrEqual(60);
    expect(Number.isInteger(refused.retryAfter)).toBe(true);
  });

  it('counts each key apart, whatever its name, and follows a limit that changes', async () => {
    const limiter = await open(url);
    const [one, other, long] = [fresh(), `${fresh()}'; --`, fresh() + 'x'.repeat(1000)];
    for (const key of [one, other, long]) {
      expect(await limiter.take(key, 1)).toEqual({ ok: true });
      expect(await limiter.take(key, 1)).toMatchObject({ ok: false });
      expect(await limiter.take(key, 3)).toEqual({ ok: true });
    }
    expect(await limiter.take(fresh(), 0)).toMatchObject({ ok: false });
  });
}

describe('memory', () => {
  runCases('memory:');

  describe('with a clock', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('begins a new window after a minute', async () => {
      const limiter = await open('memory:');
      expect(await limiter.take('key', 1)).toEqual({ ok: true });
      await vi.advanceTimersByTimeAsync(40_000);
      expect(await limiter.take('key', 1)).toEqual({ ok: false, retryAfter: 20 });
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await limiter.take('key', 1)).toEqual({ ok: true });
    });
  });
});

for (const [kind, server] of servers) {
  if (typeof server === 'string') {
    it.skip(`${kind} was not tested: ${server}`, () => {});
    continue;
  }
  describe(kind, () => {
    runCases(server.url);

    it('of 1,000 requests at once over two gateways exactly the allowed ones pass', async () => {
      const limiters = await Promise.all([
        open(server.url, { timeout: 20_000 }),
        open(server.url, { timeout: 20_000 }),
      ]);
      const key = fresh();
      const taken = await Promise.all(limiters.map((limiter) => takes(limiter, key, 500, 137)));
      expect(taken.flat().filter(({ ok }) => ok)).toHaveLength(137);
    });

    it('counts alone while the server is away, logs that once, and shares again', async () => {
      const said: string[] = [];
      const line = (fields: object, message: string) => void said.push(JSON.stringify(fields) + message);
      const log: Log = { debug: line, info: line, warn: line, error: line };
      const limiter = await open(server.url, { timeout: 1000, log });
      const key = fresh();
      expect(await limiter.take(key, 2)).toEqual({ ok: true });
      await server.kill();
      const taken = await takes(limiter, key, 10, 2);
      expect(taken.filter(({ ok }) => ok)).toHaveLength(2);
      await server.restart();
      const back = () => said.some((text) => text.includes('shared again'));
      for (let attempts = 0; attempts < 200 && !back(); attempts++) {
        await limiter.take(fresh(), 1);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      expect(said.filter((text) => text.includes('counts alone'))).toHaveLength(1);
      expect(said.filter((text) => text.includes('shared again'))).toHaveLength(1);
      expect(said.join()).not.toContain(CANARY);
      expect(said.join()).not.toContain(encodeURIComponent(CANARY));
    });

    it('lets all or none through while the server is away, if told to', async () => {
      const openly = await open(server.url, { timeout: 200, whenDown: 'open' });
      const closed = await open(server.url, { timeout: 200, whenDown: 'closed' });
      await server.kill();
      try {
        expect((await takes(openly, fresh(), 5, 1)).filter(({ ok }) => ok)).toHaveLength(5);
        await expect(closed.take(fresh(), 100)).rejects.toMatchObject({ code: 'overloaded' });
        await expect(closed.take(fresh(), 100)).rejects.toMatchObject({ code: 'overloaded' });
      } finally {
        await server.restart();
      }
    });
  });
}
