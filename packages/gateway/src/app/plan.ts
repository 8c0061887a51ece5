// Everything a configuration decides about a request, made ready once.

import { ApiError, type ModelRequest } from '@dragoman/core';
import { createResponder, type Responder } from '@dragoman/core/bridge';
import type { GatewayConfig, KeyConfig } from '../config/config.js';
import type { Log } from '../services.js';
import { type CrossOrigin, createCrossOrigin } from './cross-origin.js';
import { createHostCheck } from './host-check.js';
import { createKeyRing, sentKey } from './key-ring.js';
import { createModelTable, type ModelTable, type TableOptions } from './model-table.js';

export interface Plan {
  config: GatewayConfig;
  /** Answers, with the key of this request where an upstream is shown it. */
  respondFor(request: Request): Responder;
  models: ModelTable;
  knowsHost(host: string): boolean;
  crossOrigin: CrossOrigin;
  /** Whose request it is; undefined where nobody needs a key. Throws an ApiError. */
  admit(
    request: Request,
    around: { log: Log & { hide?(secret: string): void } },
  ): Promise<KeyConfig | undefined>;
  mayUse(key: KeyConfig | undefined, model: string): boolean;
}

export function createPlan(config: GatewayConfig, options: TableOptions): Plan {
  const ring = createKeyRing(config.keys);
  const models = createModelTable(config, options);
  return {
    config,
    respondFor: respondersOf(config, models, options),
    models,
    knowsHost: createHostCheck(config.host, config.hosts),
    crossOrigin: createCrossOrigin(config.origins),
    async admit(request, { log }) {
      const sent = sentKey(request.headers);
      if (sent !== undefined) log.hide?.(sent);
      if (ring.open) return undefined;
      const key = sent === undefined ? undefined : await ring.find(sent);
      if (key) return key;
      const found = sent === undefined ? 'none was sent' : 'this one is not known';
      throw new ApiError('unauthorized', `This gateway wants a key, as bearer token or x-api-key; ${found}.`);
    },
    mayUse: (key, model) => key?.models === undefined || key.models.includes(model),
  };
}

/** Clients whose own ways are kept ready, where upstreams are shown their keys. */
const MOST_CLIENTS = 100;

/** One way for all; or one a client, where an upstream is shown the client's key. */
function respondersOf(
  config: GatewayConfig,
  models: ModelTable,
  options: TableOptions,
): (request: Request) => Responder {
  const shared = responderOf(config, models);
  if (![...config.upstreams.values()].some(({ passKey }) => passKey)) return () => shared;
  const own = new Map<string, Responder>();
  return ({ headers }) => {
    const clientKey = sentKey(headers);
    if (clientKey === undefined) return shared;
    const found =
      own.get(clientKey) ?? responderOf(config, createModelTable(config, { ...options, clientKey }));
    // The one that was used last stands last.
    own.delete(clientKey);
    own.set(clientKey, found);
    const [oldest] = own.keys();
    if (own.size > MOST_CLIENTS && oldest !== undefined) own.delete(oldest);
    return found;
  };
}

function responderOf(config: GatewayConfig, models: ModelTable): Responder {
  return createResponder({
    route(request) {
      checkChoices(request, config.limits.choices);
      return models.find(request.model);
    },
    report: config.report,
    heartbeat: config.heartbeat,
    bodyBytes: config.limits.bodyBytes,
  });
}

/** How many answers at once is the operator's to say. */
function checkChoices({ settings: { choices = 1 } }: ModelRequest, most: number): void {
  if (choices > most) throw new ApiError('bad-request', `n: expected at most ${most}`, { path: 'n' });
}
