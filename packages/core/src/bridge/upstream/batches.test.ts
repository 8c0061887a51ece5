import { describe, expect, it } from 'vitest';
import { type Batches, batchesOf, fromBatches, withErrors } from './batches.js';

/** Says these, then fails if it is to; and notes who left it. */
function source<T>(batches: T[][], error?: Error) {
  const seen = { asked: 0, left: 0 };
  const iterator: Batches<T> = {
    async next() {
      const value = batches[seen.asked++];
      if (value) return { done: false, value };
      if (error) throw error;
      return { done: true, value: undefined };
    },
    async return() {
      seen.left++;
      return { done: true, value: undefined };
    },
  };
  return { seen, events: fromBatches(iterator) };
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const said: T[] = [];
  for await (const event of events) said.push(event);
  return said;
}

async function allBatches<T>(events: AsyncIterable<T>): Promise<T[][]> {
  const batches = batchesOf(events);
  const said: T[][] = [];
  for (let step = await batches.next(); !step.done; step = await batches.next()) said.push(step.value);
  return said;
}

describe('events that arrived together', () => {
  it('are events one by one, in their order, to a consumer of events', async () => {
    expect(await all(source([[1, 2], [], [3]]).events)).toEqual([1, 2, 3]);
  });

  it('are asked for no sooner than those before them are taken', async () => {
    const { seen, events } = source([[1, 2], [3]]);
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    expect(seen.asked).toBe(1);
    await iterator.next();
    expect(seen.asked).toBe(2);
  });

  it('are ended by a consumer that stops in the middle of them', async () => {
    const { seen, events } = source([[1, 2, 3]]);
    for await (const event of events) if (event === 2) break;
    expect(seen).toEqual({ asked: 1, left: 1 });
  });

  it('come as they are to `batchesOf`, also through `withErrors`', async () => {
    const batches = [[1, 2], [3]];
    expect(await allBatches(source(batches).events)).toEqual(batches);
    expect(await allBatches(withErrors(source(batches).events, String))).toEqual(batches);
  });
});

describe('an error behind events', () => {
  it('comes behind them, changed', async () => {
    const { events } = source([[1, 2]], new Error('secret'));
    const said: number[] = [];
    const read = async () => {
      for await (const event of withErrors(events, (error) => new Error(`not ${error}`))) said.push(event);
    };
    await expect(read()).rejects.toThrow('not Error: secret');
    expect(said).toEqual([1, 2]);
  });
});

describe('events that nobody put together', () => {
  it('are batches of one', async () => {
    async function* plain() {
      yield 1;
      yield 2;
    }
    expect(await allBatches(plain())).toEqual([[1], [2]]);
  });

  it('need no way to be left', async () => {
    let n = 0;
    const plain: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: n++ }) }),
    };
    const batches = batchesOf(plain);
    expect(await batches.next()).toEqual({ done: false, value: [0] });
    expect(await batches.return?.()).toEqual({ done: true, value: undefined });
    for await (const event of withErrors(plain, String)) if (event === 2) break;
    expect(n).toBe(3);
  });

  it('that fail before there is a promise fail as a promise', async () => {
    const plain: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next() {
          throw new Error('at once');
        },
      }),
    };
    await expect(batchesOf(plain).next()).rejects.toThrow('at once');
    await expect(all(withErrors(plain, (error) => new Error(`changed ${error}`)))).rejects.toThrow('changed');
  });

  it('are told that they are left', async () => {
    let left = false;
    async function* plain() {
      try {
        yield 1;
        yield 2;
      } finally {
        left = true;
      }
    }
    for await (const _ of withErrors(plain(), String)) break;
    expect(left).toBe(true);
  });
});
