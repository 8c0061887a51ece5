// The gateway's configuration after it was read and checked, with every default filled in. shape.ts has what people
// write, defaults.ts the defaults.

import type { GrammarFormat, Registry } from '@dragoman/core';
import type { BridgeOptions, EngineName, RoutePolicy, Timeouts } from '@dragoman/core/bridge';

export interface GatewayConfig {
  /** Default 127.0.0.1. Another address needs keys, or `insecure`. */
  host: string;
  /** Default 8787; 0 takes any free port. */
  port: number;
  /** A port for `/healthz` alone, which a thread of its own answers; 0 takes any free one. Absent: none. */
  healthPort?: number;
  /**
   * The number of processes that answer on this port, or `auto`: one for each core. Default 1. `serveWorkers` and the
   * command start them; `serve` answers in this process alone.
   */
  workers: number | 'auto';
  upstreams: ReadonlyMap<string, UpstreamConfig>;
  models: readonly ModelConfig[];
  /** The registry of dialects, if the configuration brings its own. Absent: that of the library. */
  dialects?: Registry;
  /** The keys that clients may use. Empty: no key is needed, which is only allowed on loopback. */
  keys: readonly KeyConfig[];
  limits: LimitsConfig;
  /**
   * The store for shared data: `memory:`, `redis://…`, `postgres://…`. Absent: responses are not stored. Default: memory
   * on loopback, else none.
   */
  store?: {
    url: string;
    /** How long a response is kept. Default 30 days. */
    seconds: number;
  };
  /**
   * Where the words of models are kept for the next requests of a session: `memory`; `auto`, also in a store that several
   * gateways or workers share; or `off`. Default auto.
   */
  turns: 'auto' | 'memory' | 'off';
  /** The secret that seals reasoning for clients that keep it. Default: a random one for each start. */
  sealKey?: string;
  /** Whether answers hold a report of repairs and issues. Default true. */
  report: boolean;
  /** How many exchanges the inspector keeps. Default 0: it is off. */
  inspect: number;
  /** Whether the playground is served at `/`. Default true. */
  page: boolean;
  /** Origins that browser pages may send requests from (CORS). Default none. */
  origins: readonly string[];
  /** Host headers that are accepted, besides loopback and `host`. */
  hosts: readonly string[];
  /** Whether to serve other machines without keys. */
  insecure: boolean;
  log: {
    level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
    /** Lines of JSON, or text for people. */
    form: 'json' | 'text';
  };
  /** An OTLP/HTTP endpoint for traces. */
  traces?: { endpoint: string };
  /** Seconds that streams have to finish on shutdown. Default 30. */
  shutdownSeconds: number;
  /** Milliseconds of silence after which a stream gets a heartbeat. Default 15,000. */
  heartbeat: number;
}

/**
 * `chat`: takes messages, and the model writes calls as text. `completion`: takes a prompt, and the model writes calls
 * as text. `native`: the upstream parses calls itself, but may leave some in the text. `gguf`: files of models that run in
 * this process. `tiny`: the tiny model, of its own package, in this process. `demo`: the embedded stand-in.
 */
export type UpstreamKind = 'chat' | 'completion' | 'native' | 'gguf' | 'tiny' | 'demo';

/** Models that run in this process. */
export interface GgufConfig {
  /** A file, or a folder of them. */
  path: string;
  /** A file with a chat template that takes the place of the model's own. */
  template?: string;
  /** Tokens of a conversation. Default: as the model was trained for, at most 32,768. */
  context?: number;
  /** Answers that a model writes at once. Default 4. */
  parallel?: number;
  /** Requests that may wait for a model. Default 64. */
  waiting?: number;
  /** Default: the real cores. */
  threads?: number;
  /** Bytes of the files of all loaded models. Default: half of the machine's memory. */
  memory?: number;
  /** Whether a GPU is used, if there is one. Default true. */
  gpu?: boolean;
}

export interface UpstreamConfig {
  name: string;
  kind: UpstreamKind;
  /** The address without a slash at its end. Absent for `gguf`, `tiny` and `demo`. */
  url?: string;
  /** The name of an API. Default: for `completion` the one that takes a prompt, else the first of all. */
  api: string;
  key?: string;
  headers: Readonly<Record<string, string>>;
  /** Whether to send the client's own key instead. Default false. */
  passKey: boolean;
  /** Whether it takes images and other media. Default: if it is native. */
  media: boolean;
  /** Whether it takes freeform tools. Absent: if all servers of its API do, or its address is the vendor's. */
  freeform?: boolean;
  /** Whether it can stream. Default true. */
  stream: boolean;
  /** The engine that serves it; `auto`: it is found out; `none`: its requests get nothing for an engine. */
  engine: EngineName | 'auto' | 'none';
  /** Members that are added to the body of each request, or replace its own; null removes one. */
  body: Readonly<Record<string, unknown>>;
  /** The format of grammars it takes. Absent: none; for `gguf` the one that llama.cpp takes. */
  grammar?: GrammarFormat | 'none';
  /** For `gguf` only. */
  gguf?: GgufConfig;
  timeouts: Timeouts & { /** Milliseconds to connect. Default 10,000; 0 waits for ever. */ connect: number };
  /** 0 or 1. */
  retries: number;
  /** Connections at once; further requests wait for one. Default: as many as `limits.requests`. */
  connections: number;
}

export interface ModelConfig {
  /** The name that clients use. `*` stands for any name, which is passed on. */
  name: string;
  aliases: readonly string[];
  /** The name of an upstream; of several, the first. */
  upstream: string;
  /** The model's name there. Default: the name clients use. */
  model?: string;
  /** Several upstreams that share the requests, the first included. Absent: there is one. */
  pool?: { route: RoutePolicy; endpoints: readonly EndpointConfig[] };
  /** The options for the bridge: dialect, policies, re-asks, delivery, thinking. */
  bridge: Pick<
    BridgeOptions,
    | 'dialect'
    | 'watch'
    | 'reasks'
    | 'delivery'
    | 'echoes'
    | 'nearKeys'
    | 'history'
    | 'roles'
    | 'render'
    | 'policies'
    | 'limits'
    | 'inReasoning'
  >;
}

/** One of several upstreams of a model. */
export interface EndpointConfig {
  upstream: string;
  model?: string;
  bridge: ModelConfig['bridge'];
}

export interface KeyConfig {
  /**
   * The name in logs and traces, and of everything that is kept for the key. Default: made of a digest of the key, never
   * of its place.
   */
  name?: string;
  key: string;
  /** Requests to models a minute, and as many others. Absent: no limit. */
  requestsPerMinute?: number;
  /** Models this key may use. Absent: all. */
  models?: readonly string[];
  /**
   * Whether the key may read the inspector and the metrics, which show other clients' requests. Default: no.
   */
  admin?: true;
}

export interface LimitsConfig {
  /** Bytes of a body. Default 32 MiB. */
  bodyBytes: number;
  /** Elements of a body: items of lists and members of objects. Default 100,000. */
  elements: number;
  /** Levels of lists and objects in a body. Default 600. */
  depth: number;
  /** Bytes of the bodies of all requests in work, and of the answers that are held; small ones do not count. Default 128 MiB. */
  workBytes: number;
  /** Elements of the bodies of all requests in work. Default 1,000,000. */
  workElements: number;
  /** Bytes of all headers. Default 32 KiB. */
  headerBytes: number;
  /** Milliseconds in which a whole request must have arrived. Default 30,000. */
  requestTimeout: number;
  /** The most choices (`n`) of a request. Default 8. */
  choices: number;
  /** Requests that are answered at the same time. Default 4,096. Further ones get 503. */
  requests: number;
  /** Milliseconds a client may read nothing before it is dropped. Default 60,000. */
  readTimeout: number;
  /** Bytes that all streams whose clients do not read may hold. Default 64 MiB. The one that waits longest is ended. */
  streamBytes: number;
  /** Requests with a wrong key or none from one address in a minute. Default 60. Further ones get 429. */
  wrongKeysPerMinute: number;
  /**
   * Other requests, of any method, without a known key from one address in a minute, where there are keys. Default 600.
   * Further ones get 429.
   */
  openGetsPerMinute: number;
}
