// Checks keys. The log hides a key wherever it occurs in a line, and a short one would occur everywhere: so keys have a
// minimum length.

import type { Fault } from './source.js';

/** The minimum length of clients' keys: shorter ones can be guessed. */
const LEAST_OWN = 8;
/**
 * The minimum length of upstreams' keys: the shortest that the log hides. Some servers accept any word, such as `none`.
 */
const LEAST_UPSTREAM = 4;

export function ownKeyFault(key: string): Fault | undefined {
  return keyFault(key, LEAST_OWN, 'Shorter ones can be guessed; openssl rand -hex 16 makes a good one.');
}

export function upstreamKeyFault(key: string): Fault | undefined {
  return keyFault(key, LEAST_UPSTREAM, 'A shorter one cannot be kept out of logs. If any word does: none.');
}

function keyFault(key: string, least: number, hint: string): Fault | undefined {
  if (!isHeaderValue(key))
    return { message: 'expected a key of visible characters, as headers can carry them' };
  return key.length < least ? { message: `expected a key of at least ${least} characters`, hint } : undefined;
}

export function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value) && value.trim() === value;
}
