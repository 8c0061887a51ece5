import type { ApiError } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { FairQueue, type Release } from './fair-queue.js';

/** Lets what can go on go on. */
const settle = () => new Promise((tell) => setImmediate(tell));

/** Enters for each client in turn, and notes in which order they are served. */
async function entering(queue: FairQueue, clients: readonly string[]) {
  const served: string[] = [];
  const releases: Release[] = [];
  const refused: [string, string][] = [];
  for (const client of clients) {
    queue.enter(client).then(
      (release) => {
        served.push(client);
        releases.push(release);
      },
      (error: ApiError) => refused.push([client, error.code]),
    );
    await settle();
  }
  const drain = async () => {
    while (releases.length > 0) {
      releases.shift()?.();
      await settle();
    }
  };
  return { served, refused, drain };
}

describe('a queue', () => {
  it('serves clients in turn, whoever came first', async () => {
    const queue = new FairQueue({ slots: 1, waiting: 10 });
    const { served, drain } = await entering(queue, ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
    await drain();
    expect(served).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
    expect(queue.size).toEqual({ waiting: 0, served: 0 });
  });

  it('serves as many at once as it has slots', async () => {
    const queue = new FairQueue({ slots: 2, waiting: 10 });
    const { served } = await entering(queue, ['a', 'a', 'a']);
    expect(served).toHaveLength(2);
    expect(queue.size).toEqual({ waiting: 1, served: 2 });
  });

  it('refuses what is too much: 429 to a client that has others waiting, 503 to one that has none', async () => {
    const alone = await entering(new FairQueue({ slots: 1, waiting: 2 }), ['a', 'a', 'a', 'a']);
    expect(alone.refused).toEqual([['a', 'rate-limited']]);
    const none = await entering(new FairQueue({ slots: 1, waiting: 0 }), ['a', 'b']);
    expect(none.refused).toEqual([['b', 'overloaded']]);
    const even = await entering(new FairQueue({ slots: 1, waiting: 2 }), ['a', 'b', 'c', 'd']);
    expect(even.refused).toEqual([['d', 'overloaded']]);
  });

  it('makes room for a client at the cost of the one that has most', async () => {
    const queue = new FairQueue({ slots: 1, waiting: 3 });
    const { served, refused, drain } = await entering(queue, ['a', 'a', 'a', 'a', 'b', 'b']);
    expect(refused).toEqual([
      ['a', 'rate-limited'],
      ['b', 'rate-limited'],
    ]);
    await drain();
    expect(served).toEqual(['a', 'a', 'b', 'a']);
  });

  it('forgets who has left', async () => {
    const queue = new FairQueue({ slots: 1, waiting: 5 });
    const release = await queue.enter('a');
    const leaver = new AbortController();
    const waiting = queue.enter('b', leaver.signal);
    leaver.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await expect(queue.enter('b', leaver.signal)).rejects.toThrow('left');
    release();
    release();
    expect(queue.size).toEqual({ waiting: 0, served: 0 });
    await expect(queue.enter('c')).resolves.toBeTypeOf('function');
  });
});
