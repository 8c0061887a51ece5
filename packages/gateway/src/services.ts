// What the app needs from around it. Each has a plain form, so that a gateway runs with nothing configured.

import type { BridgeEvent } from '@dragoman/core/bridge';

/** Structured lines. Secrets are taken out at the sink, whoever logs them. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Responses that later requests refer to, and whatever else several gateways must agree on. */
export interface Store {
  /** A value that was put, unless its time is over. */
  get(key: string): Promise<string | undefined>;
  put(key: string, value: string, seconds: number): Promise<void>;
  delete(key: string): Promise<boolean>;
  /** Throws if it cannot be reached: for /readyz. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Requests a minute, by key. */
export interface RateLimiter {
  /** Takes one. `retryAfter`, in seconds, if there is none left. */
  take(key: string, perMinute: number): Promise<{ ok: true } | { ok: false; retryAfter: number }>;
}

/** One request, from its headers to the last byte of its answer, as whoever watches sees it. */
export interface ExchangeInfo {
  /** The request's id: the client's `x-request-id` if it is a sane one, else ours. */
  id: string;
  /** `chat`, `responses`, `messages`: the start of the API's path; or `count-tokens`. */
  api: string;
  /** The name of the key, never the key. */
  key?: string;
  /** The trace the client is part of, as it says. */
  traceparent?: string;
}

/** Watches exchanges: metrics, traces, the inspector. Must not throw, and must be cheap. */
export interface Watcher {
  begin(exchange: ExchangeInfo): ExchangeWatch | undefined;
}

export interface ExchangeWatch {
  /** The model, once it is known, with the dialect and mode it is asked in. */
  model?(model: { name: string; upstream: string; dialect?: string }): void;
  event?(event: BridgeEvent): void;
  /** The first byte of the answer goes out. */
  firstByte?(): void;
  /** `left`: the client went away. */
  end?(outcome: { status: number; error?: { code: string; message: string }; left?: boolean }): void;
}
