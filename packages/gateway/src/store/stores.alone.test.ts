import { afterAll, describe, expect, it } from 'vitest';
import { createStore } from './create-store.js';
import { startServer } from './real-servers.fixture.js';

describe.each(['redis', 'postgres'] as const)('a store in %s whose server has died', async (kind) => {
  const server = await startServer(kind);
  if (typeof server === 'string') return void it.skip(`was not tested: ${server}`, () => {});
  afterAll(() => server.stop());

  it('answers every operation within ten seconds', async () => {
    const store = await createStore(server.url, { timeout: 1000 });
    await store.put('key', 'value', 60);
    await server.kill();
    const began = performance.now();
    const asked = [store.get('key'), store.put('lost', 'value', 60), store.delete('key'), store.check()];
    const ends = await Promise.allSettled(asked);
    expect(performance.now() - began).toBeLessThan(10 * 1000);
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    await store.close();
  });
});
