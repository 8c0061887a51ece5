// Gateways that share a store.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealServer, startServer } from '../../packages/gateway/src/store/real-servers.fixture.js';
import { eventsOf } from './running-gateway.js';
import { openStage } from './stage.js';

const { model, start } = await openStage();

describe('a Redis that gateways share', () => {
  let redis: RealServer | string;
  beforeAll(async () => {
    redis = await startServer('redis');
  });
  afterAll(async () => {
    if (typeof redis !== 'string') await redis.stop();
  });

  it('carries responses and limits from one to the other, and a gateway starts without it', async ({
    skip,
  }) => {
    if (typeof redis === 'string') return skip(redis);
    const keys = [{ name: 'one', key: 'a-key-for-two-gateways', requestsPerMinute: 3, admin: true as const }];
    const settings = { config: { keys, store: { url: redis.url, seconds: 60 } } };
    const [first, second] = await Promise.all([start(settings), start(settings)]);
    model.script('It is sunny.', 'As I said.', 'Hello.', 'Hello.', 'Hello.');
    const kept = (await (await first.ask('responses', { store: true })).json()) as { id: string };
    const more = { store: true, previous_response_id: kept.id, input: 'Again?' };
    expect((await second.ask('responses', more)).status).toBe(200);
    expect(JSON.stringify(model.requests[1]?.body)).toContain('It is sunny.');
    expect((await first.ask('chat')).status).toBe(200);
    const refused = await second.ask('chat');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);

    await redis.kill();
    const alone = await start({ config: { store: { url: redis.url, seconds: 60 } } });
    expect((await alone.ask('chat')).status).toBe(200);
    expect((await fetch(`${alone.url}/readyz`)).status).toBe(503);
    expect(alone.lines.join('')).not.toContain('canary');
    await Promise.all([first.settled(), second.settled(), alone.settled()]);
  });

  it('goes away while one runs: store: true is refused, limits are counted alone, the rest is answered', async ({
    skip,
  }) => {
    if (typeof redis === 'string') return skip(redis);
    await redis.restart();
    const keys = [
      { name: 'two', key: 'another-key-for-gateways', requestsPerMinute: 6, admin: true as const },
    ];
    const gateway = await start({ config: { keys, store: { url: redis.url, seconds: 60 } } });
    model.script(...Array(9).fill('Hello.'));
    const kept = (await (await gateway.ask('responses', { store: true })).json()) as { id: string };
    expect(kept).toMatchObject({ store: true });

    await redis.kill();
    // Each waits for the store for a while, so they are asked side by side.
    const [refused, before] = await Promise.all([
      gateway.ask('responses', { store: true }),
      gateway.ask('responses', { previous_response_id: kept.id }),
    ]);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      error: { param: 'store', message: expect.stringContaining('store: false') },
    });
    expect(before.status).toBe(503);
    expect(model.requests).toHaveLength(1);
    // By default it is a favour: the answer says that it was not kept.
    const headers = { authorization: `Bearer ${keys[0]?.key}` };
    const [whole, streamed, fetched] = await Promise.all([
      gateway.ask('responses').then((response) => response.json()),
      gateway.ask('responses', { stream: true }).then(eventsOf),
      fetch(`${gateway.url}/v1/responses/${kept.id}`, { headers }),
    ]);
    expect(whole).toMatchObject({ status: 'completed', store: false });
    expect(JSON.parse(streamed.at(-1)?.data ?? '')).toMatchObject({ response: { store: false } });
    expect(fetched.status).toBe(503);
    // Six a minute, counted here alone, since it went away: four are taken already.
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await gateway.ask('chat')).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);

    await redis.restart();
    await untilAsync(async () => (await fetch(`${gateway.url}/readyz`)).status === 200);
    const warned = gateway.lines.filter((line) => line.includes('counts alone'));
    expect(warned).toHaveLength(1);
    expect(gateway.lines.join('')).not.toContain('canary');
    await gateway.settled();
  });
});

const untilAsync = (holds: () => Promise<boolean>) => expect.poll(holds).toBe(true);
