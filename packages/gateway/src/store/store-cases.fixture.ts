// What every store does, whatever it is made of. Each case says which kinds it leaves out, and why.

import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from '../services.js';
import type { StoreKind } from './create-store.js';

export interface StoreCase {
  name: string;
  skip?: Partial<Record<StoreKind, string>>;
  /** `wait` lets time pass for this kind of store. */
  run(open: () => Promise<Store>, wait: (milliseconds: number) => Promise<void>): Promise<void>;
}

const MINUTE = 60;
let keys = 0;
/** Cases share a server: each has keys of its own. */
const fresh = (name = 'key') => `${name}:${process.pid}:${keys++}`;

export const storeCases: StoreCase[] = [
  {
    name: 'gives back what was put, and nothing for what was not',
    async run(open) {
      const store = await open();
      const key = fresh();
      expect(await store.get(key)).toBeUndefined();
      await store.put(key, 'value', MINUTE);
      expect(await store.get(key)).toBe('value');
      expect(await store.get(`${key}x`)).toBeUndefined();
    },
  },
  {
    name: 'replaces a value and its time',
    async run(open, wait) {
      const store = await open();
      const key = fresh();
      await store.put(key, 'first', 0.05);
      await store.put(key, 'second', MINUTE);
      await wait(80);
      expect(await store.get(key)).toBe('second');
      await store.put(key, 'third', 0.05);
      await wait(80);
      expect(await store.get(key)).toBeUndefined();
    },
  },
  {
    name: 'forgets when the time is over, and can be told again',
    async run(open, wait) {
      const store = await open();
      const [key, other] = [fresh(), fresh()];
      await store.put(key, 'short', 0.05);
      await store.put(other, 'long', MINUTE);
      await wait(80);
      expect(await store.get(key)).toBeUndefined();
      expect(await store.delete(key)).toBe(false);
      expect(await store.get(other)).toBe('long');
      await store.put(key, 'again', MINUTE);
      expect(await store.get(key)).toBe('again');
    },
  },
  {
    name: 'deletes once, and says whether there was something',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.put(key, 'value', MINUTE);
      expect(await store.delete(key)).toBe(true);
      expect(await store.get(key)).toBeUndefined();
      expect(await store.delete(key)).toBe(false);
    },
  },
  {
    name: 'takes any time, also a hundred years',
    async run(open) {
      const store = await open();
      const key = fresh();
      await store.put(key, 'value', 100 * 366 * 24 * 3600);
      expect(await store.get(key)).toBe('value');
    },
  },
  {
    name: 'keeps any well-formed text letter for letter, and reads none of it as anything else',
    async run(open) {
      const store = await open();
      const odd = [
        '',
        "'; drop table dragoman_store; --",
        '$1',
        '%s\n\r\t',
        '__proto__',
        '\u0000',
        '𝕏 你好 <b>',
      ];
      for (const value of odd) {
        const key = fresh(value.replaceAll('\u0000', ''));
        await store.put(key, value, MINUTE);
        expect(await store.get(key)).toBe(value);
      }
      const text = fc.string({ unit: 'binary', maxLength: 200 });
      await fc.assert(
        fc.asyncProperty(text, async (value) => {
          const key = fresh();
          await store.put(key, value, MINUTE);
          expect(await store.get(key)).toBe(value);
        }),
        { seed: 20261115, numRuns: 40 },
      );
    },
  },
  {
    name: 'keeps four megabytes',
    async run(open) {
      const store = await open();
      const key = fresh();
      const value = JSON.stringify({ text: 'ü'.repeat(2_000_000) });
      await store.put(key, value, MINUTE);
      expect((await store.get(key)) === value).toBe(true);
      await store.delete(key);
    },
  },
  {
    name: 'serves a hundred at once',
    async run(open) {
      const store = await open();
      const all = Array.from({ length: 100 }, () => fresh());
      await Promise.all(all.map((key) => store.put(key, `value of ${key}`, MINUTE)));
      const values = await Promise.all(all.map((key) => store.get(key)));
      expect(values).toEqual(all.map((key) => `value of ${key}`));
      const deleted = await Promise.all([...all, ...all].map((key) => store.delete(key)));
      expect(deleted.filter(Boolean)).toHaveLength(100);
    },
  },
  {
    name: 'acts as one with another store on the same server',
    skip: { memory: 'each memory is its own' },
    async run(open) {
      const [one, other] = [await open(), await open()];
      const key = fresh();
      await one.put(key, 'value', MINUTE);
      expect(await other.get(key)).toBe('value');
      expect(await other.delete(key)).toBe(true);
      expect(await one.get(key)).toBeUndefined();
    },
  },
  {
    name: 'is well, until it is closed: then every operation says so',
    async run(open) {
      const store = await open();
      await expect(store.check()).resolves.toBeUndefined();
      await store.close();
      await store.close();
      const closed = { code: 'overloaded', message: expect.stringContaining('closed') };
      await expect(store.check()).rejects.toMatchObject(closed);
      await expect(store.get('key')).rejects.toMatchObject(closed);
      await expect(store.put('key', 'value', MINUTE)).rejects.toMatchObject(closed);
      await expect(store.delete('key')).rejects.toMatchObject(closed);
    },
  },
];
