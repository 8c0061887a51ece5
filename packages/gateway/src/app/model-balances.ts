// The states of models with several upstreams. They outlive a reload of the configuration, and clients with keys of their
// own share them.

import { type Balance, createBalance, type RoutePolicy } from '@dragoman/core/bridge';

/** The share of a model's requests that one of its upstreams gets now, from 0 to 1. */
interface UpstreamShare {
  model: string;
  upstream: string;
  share: number;
}

export interface ModelBalances {
  /** Gives the state of a model; the same one for the same upstreams and the same route. */
  of(model: string, upstreams: readonly string[], route: RoutePolicy): Balance;
  /** Forgets models that are not among these. */
  keepOnly(models: readonly string[]): void;
  shares(): UpstreamShare[];
}

interface Entry {
  key: string;
  upstreams: readonly string[];
  balance: Balance;
}

/** `now` gives the time in milliseconds. Default `Date.now`. */
export function createBalances(now?: () => number): ModelBalances {
  const entries = new Map<string, Entry>();
  return {
    of(model, upstreams, route) {
      const key = JSON.stringify([route, ...upstreams]);
      const known = entries.get(model);
      if (known?.key === key) return known.balance;
      const balance = createBalance(upstreams.length, { route, ...(now && { now }) });
      entries.set(model, { key, upstreams, balance });
      return balance;
    },
    keepOnly(models) {
      for (const model of entries.keys()) if (!models.includes(model)) entries.delete(model);
    },
    shares: () =>
      [...entries].flatMap(([model, { upstreams, balance }]) =>
        balance.shares().map((share, at) => ({ model, upstream: upstreams[at] ?? '', share })),
      ),
  };
}
