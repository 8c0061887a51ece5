// Reaches upstreams with an undici pool of kept-alive connections, and implements only the part of `fetch` that is needed.
// The global fetch costs several times as much per request. Only the pool is loaded: all of undici takes a tenth of a second
// more when a gateway starts.

import type { Fetched, UpstreamOptions } from '@dragoman/core/bridge';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Steps } from '../app/steps.js';
import type { GatewayConfig, UpstreamConfig } from '../config/config.js';
import { decoded } from './decoded-body.js';
import { UpstreamExchange } from './upstream-exchange.js';
import { encodeParts, encodeText } from './utf8.js';

export interface UpstreamPool {
  fetch(url: string, init: RequestInit): Promise<Fetched>;
  /** Forgets all idle connections, and what was kept of those that ended; running exchanges go on. */
  renew(): void;
  /** Keeps no idle connection from now on; running exchanges go on. */
  retire(): void;
  close(): Promise<void>;
}

/** Milliseconds that an idle connection is kept. */
const KEPT = 60_000;

/**
 * While a stream is held back, Node does not read 64 KB ahead. Undici's own `highWaterMark` would override the other, so
 * it is unset. Sockets of TLS know only that one, which undici sets to 16 KB.
 */
const NO_READ_AHEAD = { highWaterMark: undefined, readableHighWaterMark: 0 };

export function createUpstreamPool({ url, connections, timeouts }: UpstreamConfig): UpstreamPool {
  const { origin, protocol } = new URL(url ?? '');
  const create = (keepAliveTimeout: number) =>
    new Pool(origin, {
      connections,
      connect: { timeout: timeouts.connect, ...(protocol === 'http:' && NO_READ_AHEAD) },
      // No timeouts here: the bridge measures those that matter.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout,
    });
  let pool = create(KEPT);
  const closing = new Set<Pool>();
  const replace = (keepAliveTimeout: number) => {
    // Closes when its answers have ended. New requests use another pool.
    const old = pool;
    closing.add(old);
    const over = () => closing.delete(old);
    old.close().then(over, over);
    pool = create(keepAliveTimeout);
  };
  return {
    fetch: (url, init) => send(pool, url, init),
    renew: () => replace(KEPT),
    retire: () => replace(1),
    async close() {
      await Promise.all([pool, ...closing].map((one) => one.destroy()));
    },
  };
}

function send(pool: Pool, url: string, init: RequestInit): Promise<Fetched> {
  const { pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const begun = (response: Fetched) => resolve(decoded(response));
    const exchange = new UpstreamExchange(init.signal ?? undefined, begun, reject);
    if (exchange.over) return;
    pool.dispatch(
      {
        path: pathname + search,
        method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
        // Without this header a server may compress its answers, which costs both sides time.
        headers: { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) },
        body: (init.body ?? null) as string | Uint8Array | null,
      },
      exchange,
    );
  });
}

/** The pools of all upstreams, each made when it is first used. */
export interface UpstreamPools {
  transport(upstream: UpstreamConfig): Partial<UpstreamOptions>;
  /** After a peak: undici keeps an object for each connection that was open at once, 3 KB each. */
  renew(): void;
  /** Retires pools that no configuration uses any more, with a step for each upstream. */
  keepOnly(config: GatewayConfig): Steps;
  close(): Promise<void>;
}

export function createUpstreamPools(): UpstreamPools {
  const pools = new Map<string, UpstreamPool>();
  const keyOf = ({ url = '', connections, timeouts }: UpstreamConfig) =>
    JSON.stringify([url === '' ? '' : new URL(url).origin, connections, timeouts.connect]);
  return {
    transport(upstream) {
      if (upstream.url === undefined) return {};
      const key = keyOf(upstream);
      const pool = pools.get(key) ?? createUpstreamPool(upstream);
      pools.set(key, pool);
      return { fetch: pool.fetch, encodeBody: { text: encodeText, parts: encodeParts } };
    },
    renew() {
      for (const pool of pools.values()) pool.renew();
    },
    *keepOnly({ upstreams }) {
      const used = new Set<string>();
      for (const upstream of upstreams.values()) {
        yield;
        used.add(keyOf(upstream));
      }
      for (const [key, pool] of [...pools]) {
        if (used.has(key)) continue;
        pools.delete(key);
        pool.retire();
      }
    },
    async close() {
      await Promise.allSettled([...pools.values()].map((pool) => pool.close()));
    },
  };
}
