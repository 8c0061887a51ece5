import { expect, it } from 'vitest';
import { createLocalCount, createRateLimiter } from './create-rate-limiter.js';

it('limiters with one count limit together, others each for itself', async () => {
  const local = createLocalCount();
  const together = await Promise.all([1, 2].map(() => createRateLimiter('memory:', { local })));
  const alone = await createRateLimiter('memory:');
  const taken = [];
  for (let turn = 0; turn < 4; turn++) taken.push((await together[turn % 2]?.take('key', 3))?.ok);
  expect(taken).toEqual([true, true, true, false]);
  expect(await together[0]?.take('other', 3)).toEqual({ ok: true });
  expect(await alone.take('key', 3)).toEqual({ ok: true });
});
