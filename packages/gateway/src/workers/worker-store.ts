// The store in the memory of the primary process, as workers reach it: a response or a turn that one worker kept is found
// by all.

import type { Store } from '../services.js';
import { BriefValues } from './brief-values.js';
import type { Answers, Channel } from './channel.js';

/** Characters that are sent at once: the other side takes a message as a whole, and others wait meanwhile. */
const PIECE = 256 * 1024;

/** A part of a value that is put when all of it has come. */
interface ValuePiece {
  id: number;
  /** Where it begins. */
  at: number;
  text: string;
}

interface LongValue {
  id: number;
  key: string;
  seconds: number;
}

/** What is found where a value is too long for one message: its pieces are asked for by this id, one after the other. */
interface LongFound {
  id: number;
  length: number;
}

/** In a worker. `onPut` is called with the length of each long value that was put: its text is garbage now. */
export function createWorkerStore(channel: Channel, onPut = (_length: number) => {}): Store {
  let count = 0;
  const putLong = async (key: string, value: string, seconds: number): Promise<void> => {
    const id = ++count;
    for (let at = 0; at < value.length; at += PIECE)
      await channel.ask('store-piece', { id, at, text: value.slice(at, at + PIECE) } satisfies ValuePiece);
    await channel.ask('store-put-long', { id, key, seconds } satisfies LongValue);
    onPut(value.length);
  };
  const get = async (key: string): Promise<string | undefined> => {
    const found = await channel.ask<string | LongFound | undefined>('store-get', key);
    if (typeof found !== 'object') return found;
    const pieces: string[] = [];
    for (let at = 0; at < found.length; at += PIECE)
      pieces.push(await channel.ask<string>('store-get-piece', found.id));
    return pieces.join('');
  };
  return {
    get,
    put: (key, value, seconds) =>
      value.length > PIECE ? putLong(key, value, seconds) : channel.ask('store-put', [key, value, seconds]),
    delete: (key) => channel.ask('store-delete', key),
    check: () => channel.ask('store-check'),
    // It belongs to the primary process.
    close: async () => {},
  };
}

const LATE = 'the pieces of a long value came too late';

/** In the primary process, for one worker. A value whose pieces are not all asked for, or put, is kept for a minute. */
export function storeAnswers(store: Store): Answers {
  const long = new BriefValues();
  /** What is left of each long value that was found. It stays as it was when it was found, whatever is put meanwhile. */
  const found = new BriefValues();
  let count = 0;
  const get = async (key: string): Promise<string | LongFound | undefined> => {
    const value = await store.get(key);
    if (value === undefined || value.length <= PIECE) return value;
    const id = ++count;
    found.set(id, value);
    return { id, length: value.length };
  };
  const getPiece = (id: number): string => {
    const left = found.get(id);
    if (left === undefined) throw new Error(LATE);
    if (left.length > PIECE) found.set(id, left.slice(PIECE));
    else found.take(id);
    return left.slice(0, PIECE);
  };
  return {
    'store-get': get,
    'store-get-piece': getPiece,
    'store-put': (entry: Parameters<Store['put']>) => store.put(...entry),
    'store-piece': ({ id, at, text }: ValuePiece) => {
      const before = at === 0 ? '' : long.get(id);
      if (before?.length !== at) throw new Error(LATE);
      long.set(id, before + text);
    },
    'store-put-long': ({ id, key, seconds }: LongValue) => {
      const value = long.take(id);
      if (value === undefined) throw new Error(LATE);
      return store.put(key, value, seconds);
    },
    'store-delete': (key: string) => store.delete(key),
    'store-check': () => store.check(),
  };
}
