import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inOrder } from './in-order.js';

async function* numbers(count: number, taken: number[] = []) {
  for (let n = 0; n < count; n++) {
    taken.push(n);
    yield n;
  }
}

const never = new AbortController().signal;

async function all<T>(items: AsyncIterable<{ result: T }>): Promise<T[]> {
  const results: T[] = [];
  for await (const { result } of items) results.push(result);
  return results;
}

describe('results in order', () => {
  it('stand in the order of the items, whoever is ready first', async () => {
    const convert = async (n: number) => {
      await wait((n * 7) % 5);
      return n * 2;
    };
    const results = await all(inOrder({ items: numbers(30), convert, window: 4, stop: never }));
    expect(results).toEqual(Array.from({ length: 30 }, (_, n) => n * 2));
  });

  it('hold no more than the window, also if the first is slow and the others are not', async () => {
    const taken: number[] = [];
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const convert = async (n: number) => (n === 0 ? slow.then(() => n) : n);
    const results = all(inOrder({ items: numbers(100, taken), convert, window: 5, stop: never }));
    await wait(20);
    // The one behind the window is planned, but not begun.
    expect(taken.length).toBeLessThanOrEqual(6);
    release();
    expect((await results).length).toBe(100);
  });

  it('come as soon as they are there, though the next item is not', async () => {
    const items = (async function* () {
      yield 1;
      await new Promise(() => {});
    })();
    const stop = new AbortController();
    const results = inOrder({ items, convert: async (n) => n, window: 3, stop: stop.signal });
    expect((await results.next()).value).toEqual({ item: 1, result: 1 });
    stop.abort();
    expect((await results.next()).done).toBe(true);
  });

  it('finish what is on the way when they are stopped, and begin nothing further', async () => {
    const stop = new AbortController();
    const begun: number[] = [];
    const convert = async (n: number) => {
      begun.push(n);
      if (n === 5) stop.abort();
      await wait(1);
      return n;
    };
    const results = await all(inOrder({ items: numbers(100), convert, window: 4, stop: stop.signal }));
    expect(results).toEqual(begun);
    expect(results.length).toBeLessThan(12);
  });

  it('fail with what the items or the conversion fail with, after what stands before', async () => {
    const items = (async function* () {
      yield* [1, 2];
      throw new Error('cut off');
    })();
    const seen: number[] = [];
    const run = async (given: AsyncIterable<{ result: number }>) => {
      for await (const { result } of given) seen.push(result);
    };
    await expect(run(inOrder({ items, convert: async (n) => n, window: 9, stop: never }))).rejects.toThrow(
      'cut off',
    );
    const convert = async (n: number) => (n === 3 ? Promise.reject(new Error('three')) : n);
    await expect(run(inOrder({ items: numbers(9), convert, window: 3, stop: never }))).rejects.toThrow(
      'three',
    );
    expect(seen).toEqual([1, 2, 0, 1, 2]);
  });
});
