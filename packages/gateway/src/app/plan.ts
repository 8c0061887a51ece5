// Everything a configuration decides about a request, made ready once.

import { ApiError } from '@dragoman/core';
import type { GatewayConfig, KeyConfig } from '../config/config.js';
import type { Log } from '../services.js';
import { createHostCheck } from './host-check.js';
import { createKeyRing, sentKey } from './key-ring.js';
import { createModelTable, type ModelTable, type TableOptions } from './model-table.js';

export interface Plan {
  config: GatewayConfig;
  models: ModelTable;
  knowsHost(host: string): boolean;
  /** Whose request it is; undefined where nobody needs a key. Throws an ApiError. */
  admit(request: Request, around: { log: Log & { hide?(secret: string): void } }): Promise<KeyConfig | undefined>;
  mayUse(key: KeyConfig | undefined, model: string): boolean;
}

export function createPlan(config: GatewayConfig, options: TableOptions): Plan {
  const ring = createKeyRing(config.keys);
  return {
    config,
    models: createModelTable(config, options),
    knowsHost: createHostCheck(config.host, config.hosts),
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
