import { describe, expect, it } from 'vitest';
import { mapEach } from './model-reply.js';

/** Counts up, and remembers whether it was left. */
function counting() {
  const seen = { left: 0 };
  async function* count() {
    try {
      for (let at = 0; at < 5; at++) yield at;
    } finally {
      seen.left++;
    }
  }
  return { seen, items: count() };
}

describe('mapEach', () => {
  it('gives each item as it is mapped, in order, and ends', async () => {
    const found: string[] = [];
    for await (const item of mapEach(counting().items, String)) found.push(item);
    expect(found).toEqual(['0', '1', '2', '3', '4']);
  });

  it('leaves its source when it is left', async () => {
    const { seen, items } = counting();
    for await (const item of mapEach(items, (one) => one)) if (item === 2) break;
    expect(seen.left).toBe(1);
  });

  it('throws what mapping throws, and leaves its source', async () => {
    const { seen, items } = counting();
    const mapped = mapEach(items, (one) => {
      if (one === 1) throw new Error('no ones');
      return one;
    });
    const read = async () => {
      for await (const _ of mapped);
    };
    await expect(read()).rejects.toThrow('no ones');
    expect(seen.left).toBe(1);
  });

  it('throws what its source throws', async () => {
    async function* broken() {
      yield 1;
      throw new Error('broken');
    }
    const iterator = mapEach(broken(), (one) => one)[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await expect(iterator.next()).rejects.toThrow('broken');
  });
});
