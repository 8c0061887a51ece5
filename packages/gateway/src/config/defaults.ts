// Every default of a configuration, in one place. A test compares dragoman.config.example.yaml with them.

import { DEFAULT_TIMEOUTS, MOST_JSON } from '@dragoman/core/bridge';
import type { GatewayConfig, LimitsConfig, UpstreamConfig } from './config.js';

const DEFAULT_GATEWAY_LIMITS: LimitsConfig = {
  bodyBytes: 32 * 1024 * 1024,
  elements: MOST_JSON.elements,
  depth: MOST_JSON.levels,
  workBytes: 128 * 1024 * 1024,
  workElements: 1_000_000,
  headerBytes: 32 * 1024,
  requestTimeout: 30_000,
  choices: 8,
  requests: 4096,
  readTimeout: 60_000,
  streamBytes: 64 * 1024 * 1024,
  wrongKeysPerMinute: 60,
  openGetsPerMinute: 600,
};

export const DEFAULT_UPSTREAM_TIMEOUTS: UpstreamConfig['timeouts'] = { connect: 10_000, ...DEFAULT_TIMEOUTS };

/** The default number of connections is in connectionsOf (settle-upstreams.ts). */
export const DEFAULT_UPSTREAM = { retries: 1, passKey: false, stream: true, engine: 'auto' } as const;

/** How several upstreams of a model share its requests. */
export const DEFAULT_ROUTE = 'order';

/** Thirty days. */
export const DEFAULT_STORE_SECONDS = 30 * 24 * 60 * 60;

/** The store of a gateway that only this machine can reach: bounded, and gone when it stops. */
export const LOCAL_STORE: NonNullable<GatewayConfig['store']> = {
  url: `memory:?entries=10000&bytes=${128 * 1024 * 1024}`,
  seconds: DEFAULT_STORE_SECONDS,
};

export const DEFAULTS = {
  host: '127.0.0.1',
  port: 8787,
  workers: 1,
  limits: DEFAULT_GATEWAY_LIMITS,
  report: true,
  inspect: 0,
  page: true,
  origins: [],
  hosts: [],
  insecure: false,
  log: { level: 'info', form: 'text' },
  shutdownSeconds: 30,
  heartbeat: 15_000,
} as const satisfies Partial<GatewayConfig>;
