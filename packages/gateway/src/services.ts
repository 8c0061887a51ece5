// The services that the app needs from outside. Each has a simple implementation, so that a gateway runs without
// configuration.

import type { BridgeEvent } from '@dragoman/core/bridge';

/** Structured log lines. The sink removes secrets, so no caller has to. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Stores responses that later requests refer to, and other data that several gateways share. */
export interface Store {
  /** Gives a value that was put, unless it has expired. */
  get(key: string): Promise<string | undefined>;
  put(key: string, value: string, seconds: number): Promise<void>;
  delete(key: string): Promise<boolean>;
  /** Throws if the store cannot be reached: for /readyz. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Limits the requests a minute of each key. */
export interface RateLimiter {
  /** Takes one request. `retryAfter`, in seconds, if none is left. */
  take(key: string, perMinute: number): Promise<{ ok: true } | { ok: false; retryAfter: number }>;
}

/** The part of one process in the requests that all processes of a gateway may answer at once. */
export interface RequestRoom {
  limit(): number;
  /** Takes over some of what other processes do not use. False if there was nothing. */
  more(): Promise<boolean>;
}

/** One request, from its headers to the last byte of its answer, for metrics, traces and the inspector. */
export interface ExchangeInfo {
  /** The request's id: the client's `x-request-id` if it is valid, else ours. */
  id: string;
  /** `chat`, `responses`, `messages`: the start of the API's path; or `count-tokens`. */
  api: string;
  /** The name of the key, never the key. */
  key?: string;
  /** The client's `traceparent` header. */
  traceparent?: string;
}

/** Observes exchanges: metrics, traces, the inspector. Must not throw, and must be cheap. */
export interface Watcher {
  begin(exchange: ExchangeInfo): ExchangeWatch | undefined;
}

export interface ExchangeWatch {
  /** Called when the model is known, with its dialect and upstream. */
  model?(model: { name: string; upstream: string; dialect?: string }): void;
  event?(event: BridgeEvent): void;
  /** Called when the first byte of the answer is sent. */
  firstByte?(): void;
  /** `left`: the client disconnected. */
  end?(outcome: { status: number; error?: { code: string; message: string }; left?: boolean }): void;
}
