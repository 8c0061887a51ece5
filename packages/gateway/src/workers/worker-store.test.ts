import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryStore } from '../store/memory-store.js';
import { Channel } from './channel.js';
import { createWorkerStore, storeAnswers } from './worker-store.js';

afterEach(() => vi.useRealTimers());

/** A store as a worker sees it, and the lengths of the messages that it sent. */
function workerStore() {
  const [a, b] = [new EventEmitter(), new EventEmitter()];
  const lengths: number[] = [];
  const sendTo = (other: EventEmitter) => (message: object) => {
    const text = JSON.stringify(message);
    lengths.push(text.length);
    other.emit('message', JSON.parse(text));
  };
  const kept = new MemoryStore();
  new Channel(Object.assign(b, { send: sendTo(a) }), storeAnswers(kept));
  const put: number[] = [];
  const store = createWorkerStore(new Channel(Object.assign(a, { send: sendTo(b) }), {}), (length) =>
    put.push(length),
  );
  return { store, kept, lengths, put };
}

describe('the store of a worker', () => {
  it('puts a long value in pieces, as it is', async () => {
    const { store, kept, lengths, put } = workerStore();
    const values = ['y'.repeat(1_000_000), `x${'😀'.repeat(400_000)}`, 'x', '😀'];
    await Promise.all(values.map((value, at) => store.put(`key ${at}`, value, 60)));
    expect(Math.max(...lengths)).toBeLessThan(300_000);
    expect(put.sort((a, b) => a - b)).toEqual([800_001, 1_000_000]);
    for (const [at, value] of values.entries()) expect((await kept.get(`key ${at}`)) === value).toBe(true);
  });

  it('gets a long value in pieces, as it was when it was found', async () => {
    const { store, kept, lengths } = workerStore();
    const values = ['y'.repeat(1_000_000), `x${'😀'.repeat(400_000)}`, 'x'.repeat(512 * 1024), 'x'];
    for (const [at, value] of values.entries()) await kept.put(`key ${at}`, value, 60);
    const find = kept.get.bind(kept);
    kept.get = async (key) => {
      const value = await find(key);
      await kept.delete(key);
      return value;
    };
    const got = await Promise.all(values.map((_, at) => store.get(`key ${at}`)));
    for (const [at, value] of values.entries()) expect(got[at] === value).toBe(true);
    expect(Math.max(...lengths)).toBeLessThan(300_000);
    expect(await store.get('key 0')).toBeUndefined();
  });

  it('tells why a long value was not put', async () => {
    const { store, kept } = workerStore();
    await kept.close();
    await expect(store.put('key', 'y'.repeat(1_000_000), 60)).rejects.toThrow('closed');
  });

  /** Of a value of four pieces. */
  const long = 'y'.repeat(1_000_000);

  it('forgets a value whose pieces are not asked for', async () => {
    vi.useFakeTimers();
    const kept = new MemoryStore();
    await kept.put('key', long, 600);
    const answers = storeAnswers(kept) as Record<string, (value: unknown) => unknown>;
    const ask = async (name: string, value: unknown) => answers[name]?.(value);
    const { id } = (await ask('store-get', 'key')) as { id: number };
    vi.advanceTimersByTime(50_000);
    expect(await ask('store-get-piece', id)).toHaveLength(256 * 1024);
    vi.advanceTimersByTime(50_000);
    expect(await ask('store-get-piece', id)).toHaveLength(256 * 1024);
    vi.advanceTimersByTime(61_000);
    await expect(ask('store-get-piece', id)).rejects.toThrow('too late');
  });

  it('forgets a value that is not put, and keeps no half of one', async () => {
    vi.useFakeTimers();
    const kept = new MemoryStore();
    const answers = storeAnswers(kept) as Record<string, (value: unknown) => unknown>;
    const ask = async (name: string, value: unknown) => answers[name]?.(value);
    await ask('store-piece', { id: 1, at: 0, text: 'y'.repeat(256 * 1024) });
    vi.advanceTimersByTime(61_000);
    await expect(ask('store-piece', { id: 1, at: 256 * 1024, text: 'z' })).rejects.toThrow('too late');
    await expect(ask('store-put-long', { id: 1, key: 'key', seconds: 60 })).rejects.toThrow('too late');
    expect(await kept.get('key')).toBeUndefined();
  });
});
