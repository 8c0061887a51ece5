import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { merge } from './merge.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
});
const soon = (time = 5) => new Promise((resolve) => setTimeout(resolve, time));

async function* count(to: number, name: string): AsyncGenerator<string> {
  for (let n = 0; n < to; n++) yield `${name}${n}`;
}

async function* failing(after: number): AsyncGenerator<string> {
  yield* count(after, 'f');
  throw new Error('gone');
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe('several streams as one', () => {
  it('hold everything, each in its own order', async () => {
    const items = await all(merge([count(3, 'a'), count(0, 'b'), count(5, 'c')]));
    expect(items.filter((item) => item.startsWith('a'))).toEqual(['a0', 'a1', 'a2']);
    expect(items.filter((item) => item.startsWith('c'))).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    expect(items).toHaveLength(8);
    expect(await all(merge([]))).toEqual([]);
  });

  it.each([1, 2])('fail for the reader alone, also for a slow one (%i sources)', async (sources) => {
    const merged = merge([failing(1), ...(sources > 1 ? [count(1, 'a')] : [])]);
    await merged.next();
    await soon();
    await expect(all(merged)).rejects.toThrow('gone');
    await soon();
    expect(unhandled).toEqual([]);
  });

  it.each([1, 2])('fail without a word if nobody reads on (%i sources)', async (sources) => {
    const merged = merge(Array.from({ length: sources }, () => failing(1)));
    await merged.next();
    await soon();
    await merged.return(undefined);
    await soon();
    expect(unhandled).toEqual([]);
  });

  it('are read only as fast as the whole is', async () => {
    let read = 0;
    async function* counted(): AsyncGenerator<number> {
      for (;;) yield read++;
    }
    const merged = merge([counted(), counted()]);
    for (let n = 0; n < 10; n++) await merged.next();
    await soon();
    expect(read).toBeLessThanOrEqual(12);
    await merged.return(undefined);
  });
});
