// Keys: how an upstream is shown one, and where a client's is found.

import type { Wire } from './wire.js';

/** The headers of this API for a request to an upstream. */
export function authHeaders({ auth }: Wire, key: string | undefined): Record<string, string> {
  const { keyHeader, headers } = auth;
  if (key === undefined) return { ...headers };
  return { ...headers, [keyHeader]: isBearer(keyHeader) ? `Bearer ${key}` : key };
}

/** The key that a client sent, in the way of any of these APIs: some clients send theirs in the way of another. */
export function sentKey(header: (name: string) => string | null, wires: readonly Wire[]): string | undefined {
  for (const name of ownHeaders(wires)) {
    const key = header(name);
    if (key) return key;
  }
  const bearer = header('authorization') ?? '';
  return bearer.slice(0, 7).toLowerCase() === 'bearer ' ? bearer.slice(7).trim() || undefined : undefined;
}

/** Where a key may be sent, for people: `bearer token or x-api-key`. */
export function keyPlaces(wires: readonly Wire[]): string {
  return ['bearer token', ...ownHeaders(wires)].join(' or ');
}

function ownHeaders(wires: readonly Wire[]): Set<string> {
  return new Set(wires.map(({ auth }) => auth.keyHeader).filter((name) => !isBearer(name)));
}

function isBearer(header: string): boolean {
  return header === 'authorization';
}
