// Keeps what models wrote in the store that several gateways or processes share. A key of the store is a digest: what the
// turn is found by holds the client's texts.

import { createHash } from 'node:crypto';
import type { TurnStore } from '@dragoman/core/bridge';
import type { Log, Store } from '../services.js';

/** A session that rests longer is spelled anew when it goes on. */
const A_DAY = 24 * 60 * 60;

export function createTurnStore(store: Store, seconds: number | undefined, log: Log): TurnStore {
  const keep = Math.min(seconds ?? A_DAY, A_DAY);
  const failed = (error: unknown) =>
    log.debug({ error: String(error) }, 'a turn could not be kept in the store');
  return {
    get: (key) => store.get(digestOf(key)),
    put: (key, turn) => {
      store.put(digestOf(key), turn, keep).catch(failed);
    },
  };
}

function digestOf(key: string): string {
  return `turn:${createHash('sha256').update(key).digest('hex')}`;
}
