// The models of a configuration, each with its upstream and options.

import { ApiError } from '@dragoman/core';
import {
  type AskOptions,
  createUpstream,
  type Upstream,
  type UpstreamOptions,
  withErrors,
} from '@dragoman/core/bridge';
import { type Wire, wireOf } from '@dragoman/core/wire';
import { createDemoUpstream } from '@dragoman/demo';
import type { GatewayConfig, ModelConfig, UpstreamConfig } from '../config/config.js';

interface ModelRoute extends AskOptions {
  name: string;
  upstreamName: string;
}

export interface ModelTable {
  /** Throws an ApiError for an unknown model, which lists the known ones. */
  find(name: string): ModelRoute;
  list(): { id: string; owner: string }[];
}

export interface TableOptions {
  /** Gives transport options for an upstream. Default: the global fetch. */
  transport?: (upstream: UpstreamConfig) => Partial<UpstreamOptions>;
  /** The client's key, which is sent to upstreams with `passKey`. */
  clientKey?: string;
  /** Removes known secrets from error messages of upstreams. */
  redact?: (text: string) => string;
  /** The APIs of clients and upstreams. Default: all. */
  wires?: readonly Wire[];
}

export function createModelTable(config: GatewayConfig, options: TableOptions = {}): ModelTable {
  const upstreams = new Map(
    [...config.upstreams].map(([name, upstream]) => [name, toUpstream(upstream, config, options)] as const),
  );
  const routes = new Map<string, ModelRoute>();
  for (const model of config.models) {
    const upstream = upstreams.get(model.upstream);
    const settings = config.upstreams.get(model.upstream);
    if (!upstream || !settings) continue;
    const route = toRoute(model, upstream, settings, config);
    for (const name of [model.name, ...model.aliases]) if (!routes.has(name)) routes.set(name, route);
  }
  return {
    find(name) {
      const route = routes.get(name) ?? routes.get('*');
      if (route) return route;
      throw noModel(name, [...routes.keys()]);
    },
    list: () =>
      [...routes].flatMap(([id, { upstreamName }]) => (id === '*' ? [] : [{ id, owner: upstreamName }])),
  };
}

function toRoute(
  model: ModelConfig,
  upstream: Upstream,
  settings: UpstreamConfig,
  { dialects }: GatewayConfig,
): ModelRoute {
  const named = model.model ?? (model.name === '*' ? undefined : model.name);
  return {
    ...model.bridge,
    ...(dialects && { dialects }),
    name: model.name,
    upstreamName: model.upstream,
    upstream: named === undefined ? upstream : renamed(upstream, named),
    mode: settings.kind === 'native' ? 'heal' : 'emulate',
  };
}

/** Replaces the model's name with the one the upstream uses. */
function renamed(upstream: Upstream, model: string): Upstream {
  return { ...upstream, ask: (request, context) => upstream.ask({ ...request, model }, context) };
}

function toUpstream(
  config: UpstreamConfig,
  { dialects }: GatewayConfig,
  { transport, clientKey, redact, wires }: TableOptions,
): Upstream {
  if (config.kind === 'demo') return createDemoUpstream({ ...(dialects && { dialects }) });
  const key = config.passKey ? clientKey : config.key;
  const upstream = createUpstream({
    url: config.url ?? '',
    api: wireOf(config.api, wires),
    ...(key !== undefined && { key }),
    headers: { ...config.headers },
    tools: config.kind === 'native',
    media: config.media,
    stream: config.stream,
    ...(config.grammar && { grammar: config.grammar }),
    timeouts: config.timeouts,
    retries: config.retries,
    ...transport?.(config),
  });
  return redact ? discreet(upstream, redact) : upstream;
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

function noModel(name: string, known: string[]): ApiError {
  const shown = known.slice(0, 20).join(', ') + (known.length > 20 ? ', …' : '');
  const message = `There is no model called ${JSON.stringify(name.slice(0, 100))}; there are ${shown}.`;
  return new ApiError('not-found', message, { path: 'model', retryable: false });
}
