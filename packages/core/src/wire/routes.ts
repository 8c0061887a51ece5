// Where clients ask, for each API that is served.

import type { Wire } from './wire.js';

export interface WireRoute {
  /** The end of an address. What stands before it makes no difference. */
  path: string;
  wire: Wire;
  /** Clients ask only how many tokens a request comes to. */
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
