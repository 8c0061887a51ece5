// Where API keys go: how one is sent to an upstream, and in which header a client's is found.

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
