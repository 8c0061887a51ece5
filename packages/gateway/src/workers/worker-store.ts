// The store in the memory of the primary process, as workers reach it: a response or a turn that one worker kept is found
// by all.

import type { Store } from '../services.js';
import type { Answers, Channel } from './channel.js';

/** In a worker. */
export function createWorkerStore(channel: Channel): Store {
  return {
    get: (key) => channel.ask('store-get', key),
    put: (...entry) => channel.ask('store-put', entry),
    delete: (key) => channel.ask('store-delete', key),
    check: () => channel.ask('store-check'),
    // It belongs to the primary process.
    close: async () => {},
  };
}

/** In the primary process. */
export function storeAnswers(store: Store): Answers {
  return {
    'store-get': (key: string) => store.get(key),
    'store-put': (entry: Parameters<Store['put']>) => store.put(...entry),
    'store-delete': (key: string) => store.delete(key),
    'store-check': () => store.check(),
  };
}
