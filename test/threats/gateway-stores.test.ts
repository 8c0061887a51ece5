// Gateways that share a store.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealServer, startServer } from '../../packages/gateway/src/store/real-servers.fixture.js';
import { openStage } from './stage.js';

const { model, start } = await openStage();

describe('two gateways on one Redis', () => {
  let redis: RealServer | string;
  beforeAll(async () => {
    redis = await startServer('redis');
  }, 120_000);
  afterAll(async () => {
    if (typeof redis !== 'string') await redis.stop();
  });

  it('share responses and limits, and answer without it', async ({ skip }) => {
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
});
