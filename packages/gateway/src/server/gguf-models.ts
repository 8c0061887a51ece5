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
   * Files of a folder that cannot be served are logged. Throws a LocalModelError, also if the engine is missing.
   */
  prepare(config: GatewayConfig): Promise<void>;
  /** Before the routes of a configuration are made: the upstreams of these are in use, also of the one before. */
  expect(...configs: GatewayConfig[]): void;
  /** Closes the models of upstreams that are gone, each when its last answer has ended. */
  keepOnly(config: GatewayConfig): void;
  close(): Promise<void>;
}

/** Models of a folder that are logged at the start. */
const MOST_LOGGED = 20;

interface Shelf {
  models: ModelShelf;
  routes: WeakMap<GgufFile, Map<string, GgufRoute>>;
}

interface GgufRoute extends LocalRoute {
  /** What the dialect and the prompt are, and why. */
  reason: string;
}

export function createGgufModels(log: Log): GgufModels {
  const shelves = new Map<string, Shelf>();
  /** Shelves of upstreams that are gone. Their answers may not have ended. */
  const retired = new Set<ModelShelf>();
  /** The newest of each such upstream: requests that began before it was removed share it. */
  const left = new Map<string, Shelf>();
  /** The upstreams of the configurations that are in use. Absent: of that of the start. */
  let used: ReadonlySet<string> | undefined;
  const shelfOf = (upstream: UpstreamConfig): Shelf => {
    const key = keyOf(upstream);
    const isGone = used?.has(key) === false;
    const known = isGone ? left.get(key) : shelves.get(key);
    if (known) return known;
    const shelf: Shelf = { models: createShelf(settingsOf(upstream), log), routes: new WeakMap() };
    // A request that began before the upstream was removed: nothing stays loaded for it.
    if (isGone) retire(key, shelf);
    else shelves.set(key, shelf);
    return shelf;
  };
  const retire = (key: string, shelf: Shelf) => {
    shelf.models.retire();
    retired.add(shelf.models);
    left.set(key, shelf);
  };
  const expect = (...configs: GatewayConfig[]) => {
    const upstreams = configs.flatMap((config) => [...config.upstreams.values()]);
    used = new Set(upstreams.filter(({ kind }) => kind === 'gguf').map(keyOf));
    for (const key of used) left.delete(key);
  };
  const routeOf = (upstream: UpstreamConfig, file: GgufFile, { dialect, dialects }: LocalOptions) => {
    const { models, routes } = shelfOf(upstream);
    const key = JSON.stringify([upstream.grammar, String(nameOf(dialect))]);
    const made = routes.get(file) ?? new Map<string, GgufRoute>();
    routes.set(file, made);
    const known = made.get(key);
    if (known) return known;
    const { template } = settingsOf(upstream);
    const found = createGgufUpstream(file, {
      dialect,
      ...(dialects && { dialects }),
      ...(template !== undefined && { template: readTemplate(template) }),
      grammar: upstream.grammar !== 'none',
      lease: (context) => models.lease(file, context),
    });
    const words = found.form === 'prompt' ? 'its whole prompt' : 'taught by the chat template of the file';
    const route: GgufRoute = {
      upstream: found.upstream,
      dialect: found.chosen.dialect,
      reason: `${found.chosen.reason}; ${words}`,
    };
    // A dialect of a file may change under its name.
    if (!dialects) made.set(key, route);
    return route;
  };
  /** The files of a folder for which a prompt can be written. A single file is given in any case. */
  const served = (
    upstream: UpstreamConfig,
    files: readonly GgufFile[],
    options: LocalOptions,
    onSkipped?: (file: GgufFile, error: LocalModelError) => void,
  ) =>
    files.filter((file) => {
      try {
        if (files.length > 1) routeOf(upstream, file, options);
        return true;
      } catch (error) {
        if (!(error instanceof LocalModelError) || error.code !== 'no-template') throw error;
        onSkipped?.(file, error);
        return false;
      }
    });
  return {
    names: (upstream, options) => served(upstream, filesOf(upstream), options).map(({ name }) => name),
    find(upstream, model, options) {
      const files = filesOf(upstream);
      try {
        // One that cannot be served says why.
        const asked = files.find(({ name }) => name === model);
        return routeOf(upstream, asked ?? onlyFile(served(upstream, files, options), model), options);
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
        const options = { dialect, dialects };
        let last: LocalModelError | undefined;
        const kept = served(upstream, files, options, ({ path }, error) => {
          last = error;
          log.warn({ path }, `not served: ${error.message}`);
        });
        if (last && kept.length === 0) throw last;
        for (const file of kept.slice(0, MOST_LOGGED)) {
          const route = routeOf(upstream, file, options);
          log.info({ model: file.name, dialect: route.dialect.name }, route.reason);
        }
        const [only, ...others] = kept;
        if (only && others.length === 0) await shelfOf(upstream).models.preload(only);
        else await shelfOf(upstream).models.checkEngine();
      }
    },
    expect,
    keepOnly(config) {
      expect(config);
      for (const [key, shelf] of [...shelves]) {
        if (used?.has(key)) continue;
        shelves.delete(key);
        retire(key, shelf);
      }
    },
    async close() {
      const all = [...[...shelves.values()].map(({ models }) => models), ...retired];
      await Promise.allSettled(all.map((models) => models.close()));
    },
  };
}

function createShelf({ path: _path, template: _template, ...options }: GgufConfig, log: Log): ModelShelf {
  return new ModelShelf({
    ...options,
    log: (message) => log.debug({ engine: 'llama.cpp' }, message),
    onChange: ({ file, type, milliseconds }) =>
      log.info({ model: file.name, bytes: file.size, milliseconds }, `the model was ${type}`),
    onError: (error, { name }) =>
      log.error({ model: name, error: (error as Error).message }, 'the model could not be unloaded'),
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
function onlyFile(files: readonly GgufFile[], model: string): GgufFile {
  const [only, ...others] = files;
  if (only && others.length === 0) return only;
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
