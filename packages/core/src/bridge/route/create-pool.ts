// Several endpoints of one model as one way to ask it.
//
//   request ──> balance ──> endpoint ──> answer ──right, or being delivered──────────────> client
//                  ^                        └──a fault after all reasks, or no answer──┐
//                  └────────────────────── the next endpoint, once ────────────────────┘

import type { ModelRequest } from '../../model/index.js';
import type { BridgeOptions } from '../options.js';
import { type AskOptions, createAsk, toUpstream } from '../reply/create-ask.js';
import { fromBatches } from '../upstream/batches.js';
import type { Ask, AskContext, Upstream } from '../upstream/upstream.js';
import { type Balance, type BalanceOptions, createBalance } from './balance.js';
import { PooledRequest } from './pooled-request.js';

/** One endpoint, with options of its own in the place of those that all share. */
export interface PoolEndpoint extends AskOptions {
  /** The name in reports and metrics. Default: the host of its address, else `upstream-1` and so on. */
  name?: string;
}

export interface PoolOptions extends BridgeOptions, BalanceOptions, Pick<AskOptions, 'mode'> {
  upstreams: readonly PoolEndpoint[];
  /** Shares the state of the endpoints with other pools of the same endpoints. Default: a new one. */
  balance?: Balance;
}

/** The endpoints with all their options. */
export type SettledEndpoint = AskOptions & { name: string; upstream: Upstream };

export function createPool(options: PoolOptions): Ask {
  const settled = settleEndpoints(options);
  const endpoints = settled.map((endpoint) => ({ name: endpoint.name, ask: createAsk(endpoint) }));
  const balance = options.balance ?? createBalance(endpoints.length, options);
  return (request: ModelRequest, context: AskContext) => {
    const { onEvent = options.onEvent } = context;
    const asked = { ...context, ...(onEvent && { onEvent }) };
    return fromBatches(new PooledRequest(request, asked, endpoints, balance).answer());
  };
}

export function settleEndpoints({ upstreams, balance: _, ...shared }: PoolOptions): SettledEndpoint[] {
  const names = new Set<string>();
  return upstreams.map((endpoint, at) => {
    const name = freeName(endpoint.name ?? hostOf(endpoint.upstream) ?? `upstream-${at + 1}`, names);
    return { ...shared, ...endpoint, name, upstream: toUpstream(endpoint.upstream) };
  });
}

/** Gives the host alone: the rest of an address may hold a password or a key. */
function hostOf(upstream: PoolEndpoint['upstream']): string | undefined {
  return 'url' in upstream && URL.canParse(upstream.url) ? new URL(upstream.url).host : undefined;
}

function freeName(name: string, used: Set<string>): string {
  let free = name;
  for (let n = 2; used.has(free); n++) free = `${name}-${n}`;
  used.add(free);
  return free;
}
