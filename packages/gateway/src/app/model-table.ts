// The models of a configuration, each with its upstream and options.

import { ApiError, all } from '@dragoman/core';
import {
  type AskOptions,
  createUpstream,
  type EngineName,
  type PoolOptions,
  type RepeatedValues,
  type Seal,
  type TurnMemory,
  type Upstream,
  type UpstreamOptions,
  withErrors,
} from '@dragoman/core/bridge';
import { type Wire, wireOf } from '@dragoman/core/wire';
import { createDemoUpstream } from '@dragoman/demo';
import type { EndpointConfig, GatewayConfig, ModelConfig, UpstreamConfig } from '../config/config.js';
import { defined } from '../config/entries.js';
import type { LocalModels, LocalOptions } from './local-models.js';
import { type BalancesOfModels, createBalances } from './model-balances.js';
import { atOnce, type Steps } from './steps.js';
import {
  chooseTinyDialect,
  isTiny,
  TINY_ADVICE,
  type TinyPackage,
  tinyDialect,
  tinyModels,
  tinyOptions,
} from './tiny-models.js';
import type { ListedModel, UpstreamCatalogs } from './upstream-catalog.js';

interface RouteNames {
  name: string;
  /** The name of the upstream, or those of several. */
  upstreamName: string;
  owner: string;
}

type ModelRoute = RouteNames & (AskOptions | PoolOptions);

/** A route that depends on the name which a client uses. */
type OpenRoute = RouteNames & { named(name: string): ModelRoute };

interface ModelEntry {
  owner: string;
  /** The same route each time. */
  route(): ModelRoute | OpenRoute | undefined;
}

export interface ModelTable {
  /** Throws an ApiError for an unknown model, which lists the known ones. */
  find(name: string): ModelRoute;
  /** The configured models, and those of upstreams whose models have any name. `clientKey` is for `passKey`. */
  list(clientKey?: string): Promise<ListedModel[]>;
  /** One of them; undefined if there is none of this name. */
  named(id: string, clientKey?: string): Promise<ListedModel | undefined>;
}

export interface TableOptions {
  /** Keeps what clients send again in every request, for all of them. */
  repeated?: RepeatedValues;
  /** Keeps what models wrote, for each client apart. Default: in memory. */
  turns?: TurnMemory | 'off';
  /** Gives transport options for an upstream. Default: the global fetch. */
  transport?: (upstream: UpstreamConfig) => Partial<UpstreamOptions>;
  /** The client's key, which is sent to upstreams with `passKey`. */
  clientKey?: string;
  /** Removes known secrets from error messages of upstreams. */
  redact?: (text: string) => string;
  /** Seals reasoning for clients that keep it. Default: with the `sealKey` of the first configuration. */
  seal?: Seal;
  /** The APIs of clients and upstreams. Default: all. */
  wires?: readonly Wire[];
  /** What upstreams tell of themselves, which all tables share. Default: nothing is asked. */
  catalogs?: UpstreamCatalogs;
  /** Loads the package of the tiny model, which is then served where the demo is, too. Absent: it is not installed. */
  tiny?: () => Promise<TinyPackage>;
  /** Models of this process, for upstreams of kind `gguf`. Default: they cannot be used. */
  local?: LocalModels;
  /** The states of models with several upstreams, which all tables share. Default: new ones. */
  balances?: BalancesOfModels;
  /** Gives the SHA-256 of a text. Default: that of the web, which is dearer for thousands of keys. */
  digest?: (text: string) => Uint8Array | Promise<Uint8Array>;
}

export function createModelTable(config: GatewayConfig, options: TableOptions = {}): ModelTable {
  return atOnce(modelTableSteps(config, options));
}

/** A step for each model, and for each of its upstreams where it has several. */
export function* modelTableSteps(config: GatewayConfig, options: TableOptions): Steps<ModelTable> {
  const { balances = createBalances() } = options;
  const upstreams = new Upstreams(config, options);
  const routes = new Map<string, ModelEntry>();
  for (const model of config.models) {
    yield;
    const entry = yield* entryOf(model, upstreams, balances);
    if (!entry) continue;
    if (!routes.has(model.name)) routes.set(model.name, entry);
    for (const name of model.aliases) if (!routes.has(name)) routes.set(name, entry);
  }
  if (options.tiny)
    for (const route of tinyRoutes(config, options.tiny))
      if (!routes.has(route.name)) routes.set(route.name, { owner: route.owner, route: () => route });
  const own = () => [...routes].flatMap(([id, { owner }]) => (id === '*' ? [] : [{ id, owner, created: 0 }]));
  const named = openEndpoints(config);
  const open = named.flatMap(({ upstream }) => (upstream.kind === 'gguf' ? [] : [upstream]));
  const localModels = () =>
    named.flatMap(({ upstream, dialect }) =>
      upstream.kind === 'gguf'
        ? (options.local?.names(upstream, { dialect, dialects: config.dialects }) ?? []).map((id) => ({
            id,
            owner: upstream.name,
            created: 0,
          }))
        : [],
    );
  const catalogsOf = (clientKey?: string) =>
    open.flatMap((upstream) => options.catalogs?.of(upstream, clientKey) ?? []);
  return {
    find(name) {
      const route = (routes.get(name) ?? routes.get('*'))?.route();
      if (route) return 'named' in route ? route.named(name) : route;
      throw noModel(name, [...routes.keys()]);
    },
    async list(clientKey) {
      const lists = await Promise.all(catalogsOf(clientKey).map((catalog) => catalog.models()));
      const all = [...own(), ...localModels(), ...lists.flatMap((list) => list ?? [])];
      return [...new Map(all.reverse().map((model) => [model.id, model])).values()].reverse();
    },
    async named(id, clientKey) {
      const known = [...own(), ...localModels()].find((model) => model.id === id);
      if (known || open.length === 0) return known;
      const found = await Promise.all(catalogsOf(clientKey).map((catalog) => catalog.find(id)));
      return found.find((model) => model !== undefined);
    },
  };
}

/** Gives the routes of the tiny model, where the models of the demo are served. */
function tinyRoutes(
  { models, upstreams, dialects }: GatewayConfig,
  load: () => Promise<TinyPackage>,
): ModelRoute[] {
  const demo = models.find(
    ({ name, upstream }) => name === 'demo' && upstreams.get(upstream)?.kind === 'demo',
  );
  if (!demo) return [];
  return tinyModels(dialects).flatMap((name) => {
    const dialect = tinyDialect(name, dialects);
    if (!dialect) return [];
    const { history, roles } = demo.bridge;
    return {
      ...defined({ history, roles }),
      ...(dialects && { dialects }),
      ...tinyOptions(dialect, load),
      mode: 'emulate',
      name,
      upstreamName: demo.upstream,
      owner: demo.upstream,
    };
  });
}

/** Gives the upstreams of the model that stands for any name, with the dialect that is spoken there. */
function openEndpoints({ models, upstreams }: GatewayConfig): {
  upstream: UpstreamConfig;
  dialect: LocalOptions['dialect'];
}[] {
  const any = models.find(({ name, model }) => name === '*' && model === undefined);
  if (!any) return [];
  return (any.pool?.endpoints ?? [any]).flatMap(({ upstream: name, bridge }) => {
    const upstream = upstreams.get(name);
    const isOpen = upstream && upstream.kind !== 'demo' && upstream.kind !== 'tiny';
    return isOpen ? [{ upstream, dialect: bridge.dialect ?? 'auto' }] : [];
  });
}

/** A route is made when it is asked for: a configuration may have 20,000 models, and be read again while others wait. */
function* entryOf(
  model: ModelConfig,
  upstreams: Upstreams,
  balances: BalancesOfModels,
): Steps<ModelEntry | undefined> {
  if (!model.pool && upstreams.isRemote(model.upstream)) {
    let made: ModelRoute | OpenRoute | undefined;
    return {
      owner: model.upstream,
      route() {
        made ??= singleRoute(model, upstreams);
        return made;
      },
    };
  }
  const route = model.pool
    ? yield* poolRoute(model, model.pool, upstreams, balances)
    : singleRoute(model, upstreams);
  return route && { owner: route.owner, route: () => route };
}

function singleRoute(model: ModelConfig, upstreams: Upstreams): ModelRoute | OpenRoute | undefined {
  const { name, upstream } = model;
  if (name === '*' && model.model === undefined && upstreams.isLocal(upstream)) {
    // Each of its models has a dialect of its own.
    const named = (asked: string) => localRoute({ ...model, model: asked }, asked, upstreams);
    return { named, name, upstreamName: upstream, owner: upstream };
  }
  const options = upstreams.optionsOf(model, name, false);
  return options && { ...options, name, upstreamName: upstream, owner: upstream };
}

function localRoute(model: ModelConfig, name: string, upstreams: Upstreams): ModelRoute {
  const { upstream } = model;
  const options = upstreams.optionsOf(model, name, false);
  if (!options) throw noModel(name, []);
  return { ...options, name, upstreamName: upstream, owner: upstream };
}

function* poolRoute(
  { name, upstream }: ModelConfig,
  pool: NonNullable<ModelConfig['pool']>,
  upstreams: Upstreams,
  balances: BalancesOfModels,
): Steps<ModelRoute | undefined> {
  const endpoints: (AskOptions & { name: string })[] = [];
  for (const endpoint of pool.endpoints) {
    yield;
    const options = upstreams.optionsOf(endpoint, name, true);
    if (options) endpoints.push({ ...options, name: endpoint.upstream });
  }
  const names = endpoints.map((endpoint) => endpoint.name);
  if (names.length === 0) return undefined;
  const { route } = pool;
  // With its own key a client has limits of its own: those of one client must not pause an upstream for all.
  const state = names.some((one) => upstreams.passesKey(one))
    ? { route }
    : { balance: balances.of(name, names, route) };
  return { name, upstreamName: names.join(', '), owner: upstream, upstreams: endpoints, ...state };
}

/** The upstreams of a configuration, each made once. */
class Upstreams {
  readonly #made = new Map<string, Upstream>();

  constructor(
    readonly config: GatewayConfig,
    readonly options: TableOptions,
  ) {}

  passesKey(name: string): boolean {
    return this.config.upstreams.get(name)?.passKey ?? false;
  }

  isLocal(name: string): boolean {
    return this.config.upstreams.get(name)?.kind === 'gguf';
  }

  /** Whether it is reached over HTTP, or is the demo. */
  isRemote(name: string): boolean {
    const kind = this.config.upstreams.get(name)?.kind;
    return kind !== undefined && kind !== 'gguf' && kind !== 'tiny';
  }

  /** `pooled`: another endpoint takes the place of a retry. */
  optionsOf(
    { upstream: name, model, bridge }: EndpointConfig,
    modelName: string,
    pooled: boolean,
  ): AskOptions | undefined {
    const { dialects, upstreams } = this.config;
    const settings = upstreams.get(name);
    if (!settings) return undefined;
    if (settings.kind === 'gguf') return this.#localOptions(settings, model ?? modelName, bridge);
    if (settings.kind === 'tiny') return this.#tinyOptions(model ?? modelName, bridge);
    const upstream = this.#upstream(pooled ? { ...settings, retries: 0 } : settings);
    const named = model ?? (modelName === '*' ? undefined : modelName);
    return {
      ...bridge,
      ...(dialects && { dialects }),
      upstream: named === undefined ? upstream : renamed(upstream, named),
      mode: settings.kind === 'native' ? 'heal' : 'emulate',
    };
  }

  #localOptions(settings: UpstreamConfig, model: string, bridge: EndpointConfig['bridge']): AskOptions {
    const { dialects } = this.config;
    const { local } = this.options;
    if (!local) throw new ApiError('internal', 'models in this process are served by the command alone');
    const { upstream, dialect } = local.find(settings, model, {
      dialect: bridge.dialect ?? 'auto',
      dialects,
    });
    return { ...bridge, ...(dialects && { dialects }), dialect, upstream, mode: 'emulate' };
  }

  #tinyOptions(model: string, bridge: EndpointConfig['bridge']): AskOptions {
    const { dialects = all } = this.config;
    const { tiny = () => Promise.reject(noTiny()) } = this.options;
    const options = tinyOptions(chooseTinyDialect(model, bridge.dialect, dialects), tiny);
    return {
      ...bridge,
      ...options,
      render: { ...bridge.render, ...options.render },
      dialects,
      mode: 'emulate',
    };
  }

  #upstream(settings: UpstreamConfig): Upstream {
    const key = `${settings.retries} ${settings.name}`;
    const made = this.#made.get(key) ?? toUpstream(settings, this.config, this.options);
    this.#made.set(key, made);
    return made;
  }
}

/** Replaces the model's name with the one the upstream uses. */
function renamed(upstream: Upstream, model: string): Upstream {
  return { ...upstream, ask: (request, context) => upstream.ask({ ...request, model }, context) };
}

function toUpstream(
  config: UpstreamConfig,
  { dialects }: GatewayConfig,
  { transport, clientKey, redact, wires, catalogs }: TableOptions,
): Upstream {
  if (config.kind === 'demo') return createDemoUpstream({ ...(dialects && { dialects }) });
  const key = config.passKey ? clientKey : config.key;
  const engine = config.engine === 'auto' ? () => catalogs?.of(config).engine() : engineNamed(config.engine);
  const upstream = createUpstream({
    url: config.url ?? '',
    api: wireOf(config.api, wires),
    ...(key !== undefined && { key }),
    headers: { ...config.headers },
    tools: config.kind === 'native',
    media: config.media,
    ...(config.freeform !== undefined && { freeform: config.freeform }),
    stream: config.stream,
    ...(engine && { engine }),
    body: config.body,
    ...(config.grammar && config.grammar !== 'none' && { grammar: config.grammar }),
    timeouts: config.timeouts,
    retries: config.retries,
    ...transport?.(config),
  });
  return redact ? discreet(upstream, redact) : upstream;
}

function engineNamed(engine: UpstreamConfig['engine']): EngineName | undefined {
  return engine === 'none' || engine === 'auto' ? undefined : engine;
}

/** Redacts errors of an upstream: its message is passed on, and some messages repeat the key. */
function discreet(upstream: Upstream, redact: (text: string) => string): Upstream {
  const change = (error: unknown) => (error instanceof ApiError ? withoutSecrets(error, redact) : error);
  return { ...upstream, ask: (request, context) => withErrors(upstream.ask(request, context), change) };
}

function withoutSecrets(error: ApiError, redact: (text: string) => string): ApiError {
  const message = redact(error.message);
  if (message === error.message) return error;
  const { code, path, status, retryable, retryAfter, details, body } = error;
  return new ApiError(code, message, {
    retryable,
    ...(path !== undefined && { path }),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(details !== undefined && { details }),
    ...(body !== undefined && { body: redact(body) }),
  });
}

function noTiny(): ApiError {
  return new ApiError('not-found', `${TINY_ADVICE}.`, { path: 'model', retryable: false });
}

function noModel(name: string, known: string[]): ApiError {
  const shown = known.slice(0, 20).join(', ') + (known.length > 20 ? ', …' : '');
  const advice = isTiny(name) && !known.some(isTiny) ? ` ${TINY_ADVICE}.` : '';
  const message = `There is no model called ${JSON.stringify(name.slice(0, 100))}; there are ${shown}.${advice}`;
  return new ApiError('not-found', message, { path: 'model', retryable: false });
}
