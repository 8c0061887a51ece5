// The parts of a configuration that are fixed when a gateway starts: a reload does not change them.

import type { GatewayConfig } from './config.js';

function fixedParts({
  host,
  port,
  healthPort,
  workers,
  log,
  store,
  turns,
  sealKey,
  inspect,
  traces,
  limits,
}: GatewayConfig) {
  const { headerBytes, requestTimeout, readTimeout, streamBytes } = limits;
  return {
    host,
    port,
    healthPort,
    workers,
    log,
    store,
    turns,
    sealKey,
    inspect,
    traces,
    headerBytes,
    requestTimeout,
    readTimeout,
    streamBytes,
  };
}

/** Names the changed settings that wait for a restart. */
export function waitingForRestart(first: GatewayConfig, next: GatewayConfig): string[] {
  const before = Object.entries(fixedParts(first));
  const after = Object.values(fixedParts(next));
  return before
    .filter(([, value], at) => JSON.stringify(value) !== JSON.stringify(after[at]))
    .map(([name]) => name);
}

/** Gives the next configuration with the fixed parts of the first one, for a process that joins those that run. */
export function withFixedParts(next: GatewayConfig, first: GatewayConfig): GatewayConfig {
  const { headerBytes, requestTimeout, readTimeout, streamBytes, ...fixed } = fixedParts(first);
  const limits = { ...next.limits, headerBytes, requestTimeout, readTimeout, streamBytes };
  const merged = Object.entries({ ...next, ...fixed, limits }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(merged) as unknown as GatewayConfig;
}

/**
 * Whether a reload would let everybody in: there were keys, and now there are none. A file that is cut off before its keys
 * says the same.
 */
export function losesAllKeys(
  before: Pick<GatewayConfig, 'keys'>,
  next: Pick<GatewayConfig, 'keys'>,
): boolean {
  return before.keys.length > 0 && next.keys.length === 0;
}

export const keysNeedRestart =
  'the changed configuration has no keys, so the old one stays; to serve without keys, restart the gateway';
