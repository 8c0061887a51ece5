// Models that run in this process, as the app sees them. The server makes them: the app has no files.

import type { Dialect, Registry } from '@dragoman/core';
import type { Upstream } from '@dragoman/core/bridge';
import type { UpstreamConfig } from '../config/config.js';

export interface LocalModels {
  /** The names of the models that an upstream can serve now. */
  names(upstream: UpstreamConfig, options: LocalOptions): string[];
  /** Gives a model, with the dialect that it speaks. Throws an ApiError if there is none of this name. */
  find(upstream: UpstreamConfig, model: string, options: LocalOptions): LocalRoute;
}

export interface LocalOptions {
  /** `auto`: the file decides. */
  dialect: Dialect | string;
  dialects: Registry | undefined;
}

export interface LocalRoute {
  upstream: Upstream;
  dialect: Dialect;
}
