// The GGUF models of a gateway: their files, and a shelf of loaded ones for each upstream. Only gateways that have such an
// upstream load this module.

import { readFileSync } from 'node:fs';
import { ApiError, UsageError } from '@dragoman/core';
import { createGgufUpstream, type GgufFile, ggufFiles, LocalModelError, ModelShelf } from '@dragoman/local';
import type { LocalModels, LocalOptions, LocalRoute } from '../app/local-models.js';
import type { GatewayConfig, GgufConfig, UpstreamConfig } from '../config/config.js';
import type { Log } from '../services.js';

export interface GgufModels extends LocalModels {
  /**
   * Reads the files of every upstream, logs what each model speaks, and loads the one of an upstream that has no other.
   * Throws a LocalModelError, also if the engine is missing.
   */
  prepare(config: GatewayConfig): Promise<void>;
  /** Closes the models of upstreams that are gone. */
  keepOnly(config: GatewayConfig): void;
  close(): Promise<void>;
}

/** Models of a folder that are logged at the start. */
const MOST_LOGGED = 20;

export function createGgufModels(log: Log): GgufModels {
  const shelves = new Map<string, ModelShelf>();
  const routes = new WeakMap<GgufFile, Map<string, LocalRoute>>();
  const shelfOf = (upstream: UpstreamConfig) => {
    const key = keyOf(upstream);
    const shelf = shelves.get(key) ?? createShelf(settingsOf(upstream), log);
    shelves.set(key, shelf);
    return shelf;
  };
  const make = (upstream: UpstreamConfig, file: GgufFile, { dialect, dialects }: LocalOptions) => {
    const { template } = settingsOf(upstream);
    return createGgufUpstream(file, {
      dialect,
      ...(dialects && { dialects }),
      ...(template !== undefined && { template: readTemplate(template) }),
      grammar: upstream.grammar !== 'none',
      lease: (context) => shelfOf(upstream).lease(file, context),
    });
  };
  return {
    names: (upstream) => filesOf(upstream).map(({ name }) => name),
    find(upstream, model, options) {
      const file = fileOf(filesOf(upstream), model);
      const key = JSON.stringify([keyOf(upstream), upstream.grammar, String(nameOf(options.dialect))]);
      const made = routes.get(file) ?? new Map<string, LocalRoute>();
      routes.set(file, made);
      const known = made.get(key);
      if (known) return known;
      try {
        const { upstream: found, chosen } = make(upstream, file, options);
        const route = { upstream: found, dialect: chosen.dialect };
        // A dialect of a file may change under its name.
        if (!options.dialects) made.set(key, route);
        return route;
      } catch (error) {
        throw asApiError(error);
      }
    },
    async prepare({ upstreams, dialects, models }) {
      for (const upstream of upstreams.values()) {
        if (upstream.kind !== 'gguf') continue;
        const { files, skipped } = ggufFiles(settingsOf(upstream).path);
        for (const { path, reason } of skipped) log.warn({ path }, `not served: ${reason}`);
        const dialect = models.find((model) => model.upstream === upstream.name)?.bridge.dialect ?? 'auto';
        for (const file of files.slice(0, MOST_LOGGED)) {
          const { chosen, form } = make(upstream, file, { dialect, dialects });
          const words = form === 'prompt' ? 'its whole prompt' : 'taught by the chat template of the file';
          log.info({ model: file.name, dialect: chosen.dialect.name }, `${chosen.reason}; ${words}`);
        }
        const [only, ...others] = files;
        if (only && others.length === 0) await shelfOf(upstream).preload(only);
        else await shelfOf(upstream).checkEngine();
      }
    },
    keepOnly({ upstreams }) {
      const used = new Set([...upstreams.values()].filter(({ kind }) => kind === 'gguf').map(keyOf));
      for (const [key, shelf] of [...shelves]) {
        if (used.has(key)) continue;
        shelves.delete(key);
        void shelf.close();
      }
    },
    async close() {
      await Promise.allSettled([...shelves.values()].map((shelf) => shelf.close()));
    },
  };
}

function createShelf({ path: _path, template: _template, ...options }: GgufConfig, log: Log): ModelShelf {
  return new ModelShelf({
    ...options,
    log: (message) => log.debug({ engine: 'llama.cpp' }, message),
    onChange: ({ file, type, milliseconds }) =>
      log.info({ model: file.name, bytes: file.size, milliseconds }, `the model was ${type}`),
  });
}

function settingsOf({ gguf }: UpstreamConfig): GgufConfig {
  if (gguf) return gguf;
  throw new ApiError('internal', 'an upstream of kind gguf without a file');
}

function keyOf({ gguf }: UpstreamConfig): string {
  return JSON.stringify(gguf);
}

function nameOf(dialect: LocalOptions['dialect']): string {
  return typeof dialect === 'string' ? dialect : dialect.name;
}

function filesOf(upstream: UpstreamConfig): GgufFile[] {
  try {
    return ggufFiles(settingsOf(upstream).path).files;
  } catch (error) {
    throw asApiError(error);
  }
}

/** A single file answers to any name. */
function fileOf(files: readonly GgufFile[], model: string): GgufFile {
  const [only, ...others] = files;
  const found = files.find(({ name }) => name === model) ?? (others.length === 0 ? only : undefined);
  if (found) return found;
  const names = files.map(({ name }) => name);
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '');
  const message = `There is no model called ${JSON.stringify(model.slice(0, 100))}; there are ${shown}.`;
  throw new ApiError('not-found', message, { path: 'model', retryable: false });
}

function readTemplate(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new LocalModelError('no-file', `The chat template ${JSON.stringify(path)} cannot be read.`, {
      cause: error,
    });
  }
}

function asApiError(error: unknown): unknown {
  if (error instanceof LocalModelError)
    return new ApiError('upstream-failed', error.message, { retryable: false, cause: error });
  return error instanceof UsageError ? new ApiError('internal', error.message, { cause: error }) : error;
}
