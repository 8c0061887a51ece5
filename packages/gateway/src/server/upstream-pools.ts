// The pools of all upstreams, each made when it is first used.

import type { UpstreamOptions } from '@dragoman/core/bridge';
import type { GatewayConfig, UpstreamConfig } from '../config/config.js';
import { createUpstreamPool, type UpstreamPool } from './undici-fetch.js';

export interface UpstreamPools {
  transport(upstream: UpstreamConfig): Partial<UpstreamOptions>;
  /** Retires pools that no configuration uses any more. */
  keepOnly(config: GatewayConfig): void;
  close(): Promise<void>;
}

export function createUpstreamPools(): UpstreamPools {
  const pools = new Map<string, UpstreamPool>();
  const keyOf = ({ url = '', connections, timeouts }: UpstreamConfig) =>
    JSON.stringify([url === '' ? '' : new URL(url).origin, connections, timeouts.connect]);
  return {
    transport(upstream) {
      if (upstream.kind === 'demo') return {};
      const key = keyOf(upstream);
      const pool = pools.get(key) ?? createUpstreamPool(upstream);
      pools.set(key, pool);
      return { fetch: pool.fetch };
    },
    keepOnly({ upstreams }) {
      const used = new Set([...upstreams.values()].map(keyOf));
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
