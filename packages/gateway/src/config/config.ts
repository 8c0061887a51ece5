// What a gateway is told, after it was read and checked: every default is filled in. What people write is in
// shape.ts, the defaults are in defaults.ts.

import type { GrammarFormat, Registry } from '@dragoman/core';
import type { BridgeOptions, Timeouts } from '@dragoman/core/bridge';

export interface GatewayConfig {
  /** Default 127.0.0.1. Another address needs keys, or `insecure`. */
  host: string;
  /** Default 8787; 0 takes any. */
  port: number;
  upstreams: ReadonlyMap<string, UpstreamConfig>;
  models: readonly ModelConfig[];
  /** Where dialects are found by name, if it brings some of its own. Absent: those of the library. */
  dialects?: Registry;
  /** Who may ask. Empty: everybody, which only loopback allows. */
  keys: readonly KeyConfig[];
  limits: LimitsConfig;
  /** Where what must be shared is kept: `memory:`, `redis://…`, `postgres://…`. Absent: responses are not kept. */
  store?: { url: string /** Seconds a response is kept. Default 30 days. */; seconds: number };
  /** Whether answers say what happened. Default true. */
  report: boolean;
  /** How many exchanges the inspector keeps. Default 0: it is off. */
  inspect: number;
  /** Whether the playground is served at `/`. Default true. */
  page: boolean;
  /** Origins that pages may ask from. Default none. */
  origins: readonly string[];
  /** Hosts that requests may name, besides loopback and `host`. */
  hosts: readonly string[];
  /** Serve the world without keys. */
  insecure: boolean;
  log: {
    level: 'debug' | 'info' | 'warn' | 'error' | 'silent' /** Lines of JSON, or for people. */;
    form: 'json' | 'text';
  };
  /** An OTLP/HTTP endpoint for traces. */
  traces?: { endpoint: string };
  /** Seconds that streams have to finish on shutdown. Default 30. */
  shutdownSeconds: number;
  /** Milliseconds of silence after which a stream says that it is alive. Default 15,000. */
  heartbeat: number;
}

/**
 * `chat`: writes text, is sent messages. `completion`: writes text, is sent a prompt. `native`: has tools, and may
 * leak. `demo`: the embedded stand-in.
 */
export type UpstreamKind = 'chat' | 'completion' | 'native' | 'demo';

export interface UpstreamConfig {
  name: string;
  kind: UpstreamKind;
  /** Without a slash at its end. Absent for `demo`. */
  url?: string;
  /** The name of an API. Default: for `completion` the one that takes a prompt, else the first of all. */
  api: string;
  key?: string;
  headers: Readonly<Record<string, string>>;
  /** Send the client's own key instead. Default false. */
  passKey: boolean;
  /** It takes images and other media. Default: if it is native. */
  media: boolean;
  /** Default true. */
  stream: boolean;
  /** The kind of grammar it takes. Absent: none. */
  grammar?: GrammarFormat;
  timeouts: Timeouts & { /** Milliseconds to connect. Default 10,000; 0 waits for ever. */ connect: number };
  /** 0 or 1. */
  retries: number;
  /** Connections at once; further requests wait for one. Default: as many as `limits.requests`. */
  connections: number;
}

export interface ModelConfig {
  /** What clients call it. `*` stands for any name, which is passed on. */
  name: string;
  aliases: readonly string[];
  /** The name of an upstream. */
  upstream: string;
  /** The model's name there. Default: the name clients use. */
  model?: string;
  /** Dialect, policies, re-asks, delivery, thinking: what the bridge takes. */
  bridge: Pick<
    BridgeOptions,
    'dialect' | 'watch' | 'reasks' | 'delivery' | 'echoes' | 'render' | 'policies' | 'limits' | 'inReasoning'
  >;
}

export interface KeyConfig {
  /** For logs and metrics. */
  name: string;
  key: string;
  /** Requests a minute. Absent: no limit. */
  requestsPerMinute?: number;
  /** Models this key may use. Absent: all. */
  models?: readonly string[];
  /** May read the inspector and the metrics: what others said and did. Default: only if it is the only key. */
  admin?: true;
}

export interface LimitsConfig {
  /** Bytes of a body. Default 32 MiB. */
  bodyBytes: number;
  /** Bytes of all headers. Default 32 KiB. */
  headerBytes: number;
  /** Milliseconds in which a whole request must have arrived. Default 30,000. */
  requestTimeout: number;
  /** `n`. Default 8. */
  choices: number;
  /** Requests that are answered at once. Default 4,096. More get 503. */
  requests: number;
  /** Milliseconds a client may read nothing before it is dropped. Default 60,000. */
  readTimeout: number;
}
