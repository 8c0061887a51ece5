// Requests of clients without a known key, counted by address: wrong keys, and GETs that need no key. A known key is not
// counted by address: behind a proxy all clients have one, and nobody must lock the others out.

import { ApiError } from '@dragoman/core';
import type { LimitsConfig } from '../config/config.js';

const MINUTE = 60_000;

/** Addresses that are counted at once; beyond it the one that began first is forgotten. */
const MOST = 10_000;

type Kind = 'wrongKeysPerMinute' | 'openGetsPerMinute';

const words: Record<Kind, string> = {
  wrongKeysPerMinute: 'requests with a wrong key or none',
  openGetsPerMinute: 'requests without a key',
};

interface Count {
  count: number;
  ends: number;
}

export class Strangers {
  readonly #counts = new Map<string, Count>();

  constructor(readonly now: () => number = Date.now) {}

  get size(): number {
    return this.#counts.size;
  }

  /** Counts one request. Throws an ApiError if the address has sent too many. An unknown address is not counted. */
  count(kind: Kind, address: string | undefined, limits: LimitsConfig): void {
    if (address === undefined) return;
    const key = `${kind} ${networkOf(address)}`;
    const now = this.now();
    const found = this.#counts.get(key);
    const counted = found && found.ends > now ? found : this.#begin(key, now);
    if (++counted.count <= limits[kind]) return;
    const retryAfter = Math.max(1, Math.ceil((counted.ends - now) / 1000));
    const message = `This address may send ${limits[kind]} ${words[kind]} a minute (limits.${kind}); try again in ${retryAfter} s.`;
    throw new ApiError('rate-limited', message, { retryAfter });
  }

  #begin(key: string, now: number): Count {
    const begun = { count: 0, ends: now + MINUTE };
    this.#counts.delete(key);
    this.#counts.set(key, begun);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST && oldest !== undefined) this.#counts.delete(oldest);
    return begun;
  }
}

/** How many 16-bit groups an IPv6 address has, and how many of them name the network. */
const GROUPS = 8;
const OF_NETWORK = 4;

/** One customer has 2^64 addresses of IPv6: they count as one, in whichever way they are written. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [left = [], right = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Math.max(0, GROUPS - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, OF_NETWORK);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
