// The paths at which clients send requests, for each API that is served.

import type { Wire } from './wire.js';

export interface WireRoute {
  /** The end of the path. Any prefix is accepted. */
  path: string;
  wire: Wire;
  /** Requests only count the tokens of a request. */
  counts: boolean;
}

export function routesOf(wires: readonly Wire[]): WireRoute[] {
  return wires.flatMap((wire) => {
    if (!wire.served) return [];
    const asks = { path: wire.path, wire, counts: false };
    return wire.counts ? [asks, { path: wire.counts.path, wire, counts: true }] : [asks];
  });
}

export function routeAt(path: string, routes: readonly WireRoute[]): WireRoute | undefined {
  return routes.find((route) => path.endsWith(route.path));
}
