// The states of models with several upstreams. They outlive a reload of the configuration, and clients with keys of their
// own share them.

import { type Balance, createBalance, type RoutePolicy } from '@dragoman/core/bridge';

/** The share of a model's requests that one of its upstreams gets now, from 0 to 1. */
interface UpstreamShare {
  model: string;
  upstream: string;
  share: number;
}

export interface BalancesOfModels {
  /** Gives the state of a model; the same one for the same upstreams and the same route. */
  of(model: string, upstreams: readonly string[], route: RoutePolicy): Balance;
}

export interface ModelBalances extends BalancesOfModels {
  /** For a configuration that is not used yet, and perhaps never: what it changes counts from `use` on. */
  prepare(): BalancesOfModels & { use(): void };
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
  const entryOf = (known: Entry | undefined, upstreams: readonly string[], route: RoutePolicy): Entry => {
    const key = JSON.stringify([route, ...upstreams]);
    if (known?.key === key) return known;
    const balance = createBalance(upstreams.length, { route, ...(now && { now }) });
    return { key, upstreams, balance };
  };
  return {
    of(model, upstreams, route) {
      const entry = entryOf(entries.get(model), upstreams, route);
      entries.set(model, entry);
      return entry.balance;
    },
    prepare() {
      let changed = new Map<string, Entry>();
      let target = changed;
      return {
        of(model, upstreams, route) {
          const entry = entryOf(target.get(model) ?? entries.get(model), upstreams, route);
          target.set(model, entry);
          return entry.balance;
        },
        use() {
          for (const [model, entry] of changed) entries.set(model, entry);
          changed = new Map();
          target = entries;
        },
      };
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
