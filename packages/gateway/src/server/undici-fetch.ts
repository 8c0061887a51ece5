// How the gateway reaches its upstreams: a pool of kept connections for each, and of `fetch` only what is needed.
// The global fetch costs several times as much a request.

import type { Fetched } from '@dragoman/core/bridge';
import { type Dispatcher, Pool } from 'undici';
import type { UpstreamConfig } from '../config/config.js';
import { UpstreamExchange } from './upstream-exchange.js';

export interface UpstreamPool {
  fetch(url: string, init: RequestInit): Promise<Fetched>;
  /** Keeps no connection from now on, but serves exchanges that still run. */
  retire(): void;
  close(): Promise<void>;
}

/** Milliseconds that an idle connection is kept. */
const KEPT = 60_000;

export function createUpstreamPool({ url, connections, timeouts }: UpstreamConfig): UpstreamPool {
  const create = (keepAliveTimeout: number) =>
    new Pool(new URL(url ?? '').origin, {
      connections,
      connect: { timeout: timeouts.connect },
      // Those that matter are counted by the bridge, which knows who waits for whom.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout,
    });
  let pool = create(KEPT);
  return {
    fetch: (url, init) => send(pool, url, init),
    retire() {
      // Closes when the answers on it are over. A model that is asked again meanwhile is asked elsewhere.
      pool.close().catch(() => {});
      pool = create(1);
    },
    close: () => pool.destroy(),
  };
}

function send(pool: Pool, url: string, init: RequestInit): Promise<Fetched> {
  const { pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const exchange = new UpstreamExchange(init.signal ?? undefined, resolve, reject);
    if (exchange.over) return;
    pool.dispatch(
      {
        path: pathname + search,
        method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
        // Nothing is unpacked here. Without this header a server may pack as it likes.
        headers: { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) },
        body: init.body as string,
      },
      exchange,
    );
  });
}
