import { describe, expect, it } from 'vitest';
import { pooled } from './pool.js';

async function resultsOf(
  items: readonly number[],
  limit: number,
  work: (item: number) => Promise<number>,
): Promise<number[]> {
  const results: number[] = [];
  for await (const result of pooled(items, limit, work)) results.push(result);
  return results;
}

/** Ends after so many microtasks. */
async function after(count: number): Promise<number> {
  for (let at = 0; at < count; at++) await null;
  return count;
}

describe('pooled', () => {
  it.each([1, 2, 4])('gives every result of jobs that end close together, %i at once', async (limit) => {
    for (let first = 0; first < 16; first++)
      for (let second = 0; second < 16; second++) {
        const found = await resultsOf([first, second], limit, after);
        expect(found.sort(), `${first} ${second}`).toEqual([first, second].sort());
      }
  });

  it('runs no more than the limit at once', async () => {
    let running = 0;
    let most = 0;
    await resultsOf([5, 1, 3, 2, 8, 1, 1], 3, async (item) => {
      most = Math.max(most, ++running);
      await after(item);
      running--;
      return item;
    });
    expect(most).toBe(3);
  });

  it('throws what a job throws', async () => {
    const work = (item: number) =>
      item === 1 ? Promise.reject(new Error('no answer')) : Promise.resolve(item);
    await expect(resultsOf([0, 1, 2], 2, work)).rejects.toThrow('no answer');
  });
});
