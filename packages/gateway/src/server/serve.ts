// Serves the app on an address with node:http, with limits for connections.

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError } from '@dragoman/core';
import { RepeatedValues, TurnMemory } from '@dragoman/core/bridge';
import { getRequestListener } from '@hono/node-server';
import { type App, createApp } from '../app/app.js';
import { createBalances } from '../app/model-balances.js';
import type { PageFiles } from '../app/page-routes.js';
import { atOnce, inSlices, type Pause, type Steps } from '../app/steps.js';
import { TINY_ADVICE, tinyDialect } from '../app/tiny-models.js';
import { createCatalogs } from '../app/upstream-catalog.js';
import type { GatewayConfig, UpstreamKind } from '../config/config.js';
import { keysNeedRestart, losesAllKeys } from '../config/fixed-at-start.js';
import {
  createInspector,
  createLog,
  createMetrics,
  createTraces,
  type InspectorView,
  type LogOptions,
  type Metrics,
  type SecretLog,
} from '../observability/index.js';
import { createResponses } from '../responses/index.js';
import type { RateLimiter, RequestRoom, Store } from '../services.js';
import { createRateLimiter, createStore, isMemory, type RequestCount } from '../store/index.js';
import { createLane, type Lane } from '../workers/lane.js';
import { laterTurn, noteConnection } from './fair-turns.js';
import { findEngines } from './find-engines.js';
import { createTinyLoader, findTiny, weightsFile } from './find-tiny.js';
import type { GgufModels } from './gguf-models.js';
import { giveBackAfterPeaks } from './give-back.js';
import { type HealthPort, openHealthPort } from './health-port.js';
import { KnownBodies } from './known-bodies.js';
import { answerOnNode } from './node-exchange.js';
import { readPageFiles } from './page-files.js';
import { StalledStreams } from './stalled-streams.js';
import { createTurnStore } from './turn-store.js';
import { createUpstreamPools } from './undici-fetch.js';

export interface Gateway {
  /** `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly port: number;
  readonly app: App;
  readonly log: SecretLog;
  /** The engines of upstreams that were found at the start, by the names of the upstreams: `vLLM`. */
  readonly engines: ReadonlyMap<string, string>;
  /**
   * False if it is refused, with a line in the log: the last key cannot be taken away while the gateway runs. One with
   * hundreds of models or keys is used a little later, since others must not wait for it; if it turns out then that it
   * cannot be used, the log says so.
   */
  reload(config: GatewayConfig): boolean;
  /** Accepts no new requests, lets streams finish for the configured time, then ends them. */
  close(): Promise<void>;
}

export interface ServeOptions {
  /** Takes finished lines of the log. Default: standard output. */
  write?: (line: string) => void;
  /** Whether the engines of upstreams without an `engine` are looked for. Default false. */
  detect?: boolean;
}

/** What the processes of one gateway share. Each member stands in for that of a single process. */
export interface SharedServices {
  /** The number of this worker, from 1; undefined in a thread of the only process. */
  worker: number | undefined;
  /** Stands in for the limits of keys where another thread has counted the requests. */
  limiter?: RateLimiter;
  /** Stands in for a store in the memory of this process. Without a `store` in the configuration it only has turns. */
  store: Store;
  /** Counts requests of keys for all processes. */
  count: RequestCount;
  room: RequestRoom;
  metrics(own: Omit<Metrics, 'begin'>): Pick<Metrics, 'contentType' | 'render'>;
  inspector(own: InspectorView): InspectorView;
}

export function serve(config: GatewayConfig, options: ServeOptions = {}): Promise<Gateway> {
  return serveShared(config, options, undefined);
}

/** Serves as one of several processes, or without `shared` as the only one. */
export async function serveShared(
  first: GatewayConfig,
  options: ServeOptions,
  shared: SharedServices | undefined,
): Promise<Gateway> {
  // The lane opens what this thread sealed.
  const config = { ...first, sealKey: first.sealKey ?? randomBytes(32).toString('hex') };
  // A lane would load the weights again.
  const lane = hasGguf(config) ? undefined : createLane(config, options, shared?.worker);
  const gateway = await createGatewayApp(config, options, shared, lane);
  const { app, log, reload, close } = gateway;
  const server = createHttpServer(gateway, config);
  // With several processes the primary opens the healthPort.
  let health: HealthPort | undefined;
  let port: number;
  try {
    health = shared ? undefined : await openHealthPort(config, log);
    port = await listen(server, config);
  } catch (error) {
    await health?.close();
    await close();
    throw error;
  }
  return {
    engines: await gateway.findEngines(),
    url: urlOf(config.host, port),
    port,
    app,
    log,
    reload: (next) => reload(next, laterTurn),
    async close() {
      health?.drain();
      await shutDown(server, app, gateway.config().shutdownSeconds);
      await close();
      await health?.close();
    },
  };
}

/** A gateway without a server. */
export interface GatewayApp {
  app: App;
  log: SecretLog;
  config(): GatewayConfig;
  findEngines(): Promise<Map<string, string>>;
  /** `pause` divides a large one; without it, it is used when this returns. */
  reload(config: GatewayConfig, pause?: Pause): boolean;
  /** Lets go of what is only kept to be quick. */
  release(): void;
  close(): Promise<void>;
}

/** `lane`: answers large requests. */
export async function createGatewayApp(
  first: GatewayConfig,
  { detect, ...logging }: ServeOptions,
  shared: SharedServices | undefined,
  lane?: Lane,
): Promise<GatewayApp> {
  let config = first;
  const fields = shared?.worker === undefined ? undefined : { worker: shared.worker };
  const log = createGatewayLog(config, { ...logging, ...(fields && { fields }) });
  const store =
    config.store &&
    (shared && isMemory(config.store.url) ? shared.store : await createStore(config.store.url, { log }));
  const limiter: RateLimiter & { close?(): Promise<void> } =
    shared?.limiter ?? (await createLimiter(config, log, shared));
  const balances = createBalances();
  const repeated = new RepeatedValues();
  const known = new KnownBodies();
  // A thread of the only process keeps turns for itself.
  const together = shared?.worker === undefined ? undefined : shared.store;
  const turns = turnsOf(config, store, log, together);
  const ownMetrics = createMetrics({
    knows: (model) => knows(config, model),
    shares: balances.shares,
    repeated,
    bodies: known,
    ...(turns !== 'off' && { turns }),
  });
  const ownInspector = createInspector(config.inspect, { redact: log.redactKnown });
  const metrics = lane ? lane.joinMetrics(ownMetrics) : ownMetrics;
  const inspector = lane ? lane.joinInspector(ownInspector) : ownInspector;
  const traces = createTraces({ ...config.traces, log });
  const pools = createUpstreamPools();
  const catalogs = createCatalogs({ transport: pools.transport, detect });
  const weights = findTiny();
  const page = withWeights(readPageFiles(), weights);
  // What every worker finds out is logged by the first one.
  const heard = shared === undefined || shared.worker === 1 ? log : undefined;
  const adviseTiny = (next: GatewayConfig) => {
    if (weights === undefined && hasKind(next, 'tiny')) heard?.warn({}, TINY_ADVICE);
  };
  adviseTiny(config);
  const gguf = hasGguf(config) ? await ggufModels(log) : undefined;
  await gguf?.prepare(config);
  const app = createApp(config, {
    log,
    watcher: [ownMetrics, ownInspector, traces],
    limiter,
    responses: createResponses(store, config.store?.seconds ?? 0, { log }),
    ...(store && { store }),
    metrics: shared ? shared.metrics(metrics) : metrics,
    inspector: shared ? shared.inspector(inspector) : inspector,
    ...(shared && { room: shared.room }),
    ...(lane && { lane }),
    ...(page && { page }),
    transport: pools.transport,
    digest: (text) => createHash('sha256').update(text).digest(),
    redact: log.redactKnown,
    balances,
    catalogs,
    ...(weights !== undefined && { tiny: createTinyLoader() }),
    repeated,
    known,
    turns,
    ...(gguf && { local: gguf }),
  });
  lane?.share({ store: together ?? store, log, config: () => config });
  /** The newest, which may not be in use yet. */
  let newest = config;
  function* use(next: GatewayConfig): Steps {
    yield* hiding(next, log);
    gguf?.expect(config, next);
    yield* app.reloadSteps(next);
    // Without a pause behind the last step.
    config = next;
    gguf?.keepOnly(next);
    lane?.reload(next);
    yield* pools.keepOnly(next);
  }
  return {
    app,
    log,
    config: () => config,
    findEngines: async () => (detect ? findEngines(config, catalogs, heard) : new Map<string, string>()),
    reload(next, pause) {
      if (losesAllKeys(newest, next)) {
        log.error({}, keysNeedRestart);
        return false;
      }
      if (hasGguf(next) && !gguf) {
        log.error({}, 'models in this process need a restart, so the old configuration stays');
        return false;
      }
      adviseTiny(next);
      newest = next;
      const steps = use(next);
      const failed = (error: unknown) => {
        newest = config;
        gguf?.keepOnly(config);
        log.error({ error: String(error) }, 'the changed configuration cannot be used, so the old one stays');
      };
      try {
        if (pause) inSlices(steps, pause, () => newest === next)?.catch(failed);
        else atOnce(steps);
        return true;
      } catch (error) {
        failed(error);
        return false;
      }
    },
    release: pools.renew,
    async close() {
      await lane?.close();
      await Promise.allSettled([
        store?.close(),
        limiter.close?.(),
        traces.close(),
        pools.close(),
        gguf?.close(),
      ]);
    },
  };
}

function hasGguf(config: GatewayConfig): boolean {
  return hasKind(config, 'gguf');
}

function hasKind({ upstreams }: GatewayConfig, wanted: UpstreamKind): boolean {
  return [...upstreams.values()].some(({ kind }) => kind === wanted);
}

async function ggufModels(log: SecretLog): Promise<GgufModels> {
  const { createGgufModels } = await import('./gguf-models.js');
  return createGgufModels(log);
}

function createLimiter(
  config: GatewayConfig,
  log: SecretLog,
  shared: SharedServices | undefined,
): Promise<RateLimiter & { close?(): Promise<void> }> {
  return createRateLimiter(config.store?.url ?? 'memory:', { log, ...(shared && { local: shared.count }) });
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * `together`: the memory of the primary process, where this is one of several. Without it only one of them would know a
 * turn, and prompts would differ.
 */
function turnsOf(
  { turns, store: settings }: GatewayConfig,
  store: Store | undefined,
  log: SecretLog,
  together: Store | undefined,
): TurnMemory | 'off' {
  if (turns === 'off') return 'off';
  const configured = settings && !isMemory(settings.url) && turns === 'auto' ? store : undefined;
  const found = configured ?? together;
  return new TurnMemory(found && { store: createTurnStore(found, settings?.seconds, log) });
}

/** Makes the log of a gateway, which hides every secret of its configuration. */
export function createGatewayLog(
  config: GatewayConfig,
  options: Pick<LogOptions, 'write' | 'fields'>,
): SecretLog {
  return createLog({ ...config.log, secrets: secretsOf(config), ...options });
}

/** Milliseconds that an idle connection is kept: longer than load balancers do, so that they never meet a closed one. */
const KEPT = 75_000;

/** How often late requests are looked for, in milliseconds, at the most. */
const CHECK_EVERY = 5_000;

function createHttpServer({ app, log, release }: GatewayApp, { limits }: GatewayConfig): Server {
  const { headerBytes, requestTimeout, readTimeout, streamBytes } = limits;
  const stalled = new StalledStreams(streamBytes, () =>
    log.info({ streamBytes }, 'an answer was ended whose client did not read (limits.streamBytes)'),
  );
  const respond = getRequestListener(
    (request, { incoming }) => app.fetch(request, incoming.socket?.remoteAddress),
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    {
      maxHeaderSize: headerBytes,
      requestTimeout,
      keepAliveTimeout: KEPT,
      connectionsCheckingInterval: Math.min(CHECK_EVERY, Math.ceil(requestTimeout / 4)),
    },
    (incoming, outgoing) => {
      outgoing.on('timeout', letGo);
      if (outgoing.socket === null) endWithConnection(outgoing, incoming.socket);
      if (!answerOnNode(app, incoming, outgoing, stalled))
        void Promise.resolve(respond(incoming, outgoing)).then(() => stalled.addEnded(outgoing));
    },
  );
  server.setTimeout(readTimeout);
  server.on('connection', noteConnection);
  giveBackAfterPeaks(server, release);
  return server;
}

/** Pipelined answers that wait for their turn, by connection. */
const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Notifies a pipelined answer when its connection breaks. Node notifies only the current one: the others would keep
 * their slots and their upstream requests forever.
 */
function endWithConnection(outgoing: ServerResponse, connection: Socket): void {
  const queue = waiting.get(connection) ?? queueOf(connection);
  queue.add(outgoing);
  outgoing.once('close', () => queue.delete(outgoing));
}

function queueOf(connection: Socket): Set<ServerResponse> {
  const queue = new Set<ServerResponse>();
  waiting.set(connection, queue);
  connection.once('close', () => {
    for (const outgoing of queue) {
      if (outgoing.socket !== null) continue;
      outgoing.destroy();
      outgoing.emit('close');
    }
  });
  return queue;
}

/** Drops a client that reads nothing. A client that waits for a slow model is kept: there is nothing to read yet. */
function letGo(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/**
 * Connections that wait to be accepted. With Node's default of 511, of thousands that come at once most would try again
 * after one, three and seven seconds. The system may allow fewer (`net.core.somaxconn`).
 */
const BACKLOG = 8192;

function listen(server: Server, { host, port }: GatewayConfig): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', fail);
      done((server.address() as AddressInfo).port);
    });
  });
}

/** Takes no new requests, lets running ones finish, then sends an error in each stream, then closes. */
async function shutDown(server: Server, app: App, seconds: number): Promise<void> {
  const drained = app.drain();
  await within(seconds * 1000, drained);
  app.abort(new ApiError('overloaded', 'The gateway is shutting down.'));
  await within(LAST_WORDS, drained);
  const closed = new Promise<void>((tell) => server.close(() => tell()));
  // A slow client may still be reading what was written last.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  await within(LAST_WORDS, closed);
  clearInterval(sweep);
  server.closeAllConnections();
  await closed;
}

/** Milliseconds for an answer's end to be written, and for it to be read. */
const LAST_WORDS = 1000;

async function within(time: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((tell) => {
    timer = setTimeout(tell, time);
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}

/** A step for each secret of a configuration, which the log hides from then on. */
export function* hiding(config: GatewayConfig, log: SecretLog): Steps {
  for (const secret of secretsOf(config)) {
    yield;
    log.hide(secret);
  }
}

export function secretsOf({ keys, upstreams, sealKey }: GatewayConfig): string[] {
  const ofUpstreams = [...upstreams.values()].flatMap(({ key, headers, body }) => [
    key,
    ...Object.values(headers),
    ...longWords(body),
  ]);
  return [sealKey, ...keys.map(({ key }) => key), ...ofUpstreams].filter((secret) => secret !== undefined);
}

/** Shorter words are settings, such as the name of a parser: hiding them would make errors unreadable. */
const SHORTEST_SECRET = 12;

/** Gives the strings of a configured body that may be keys: long, and without white space. */
function longWords(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= SHORTEST_SECRET && !/\s/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(longWords) : [];
}

/** The page runs the tiny model by itself, if the gateway has it. */
function withWeights(page: PageFiles | undefined, weights: string | undefined): PageFiles | undefined {
  const file = weights === undefined ? undefined : weightsFile(weights);
  return page && file ? new Map([...page, ['/tiny.gguf', file]]) : page;
}

function knows({ models, dialects }: GatewayConfig, model: string): boolean {
  if (models.some(({ name, aliases }) => name === model || aliases.includes(model))) return true;
  return tinyDialect(model, dialects) !== undefined;
}
