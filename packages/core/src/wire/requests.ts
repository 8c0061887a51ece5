// Where requests go, and where their API keys are: to an upstream, and from a client.

import type { Wire } from './wire.js';

/** Gives the headers of this API for a request to an upstream. */
export function authHeaders({ auth }: Wire, key: string | undefined): Record<string, string> {
  const { keyHeader, headers } = auth;
  if (key === undefined) return { ...headers };
  return { ...headers, [keyHeader]: isBearer(keyHeader) ? `Bearer ${key}` : key };
}

/** Finds the key that a client sent, in the header of any of these APIs: some clients use another API's header. */
export function sentKey(header: (name: string) => string | null, wires: readonly Wire[]): string | undefined {
  for (const name of ownHeaders(wires)) {
    const key = header(name);
    if (key) return key;
  }
  const bearer = header('authorization') ?? '';
  return bearer.slice(0, 7).toLowerCase() === 'bearer ' ? bearer.slice(7).trim() || undefined : undefined;
}

/** Lists where a key may be sent, for error messages: `bearer token or x-api-key`. */
export function keyPlaces(wires: readonly Wire[]): string {
  return ['bearer token', ...ownHeaders(wires)].join(' or ');
}

function ownHeaders(wires: readonly Wire[]): Set<string> {
  return new Set(wires.map(({ auth }) => auth.keyHeader).filter((name) => !isBearer(name)));
}

function isBearer(header: string): boolean {
  return header === 'authorization';
}

/** A path at which clients send requests. */
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
