// The package of the tiny model: whether it is installed, where its weights are, and its code.

import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { ApiError } from '@dragoman/core';
import type { Upstream } from '@dragoman/core/bridge';
import type { FairQueue, QueueOptions } from '@dragoman/local';
import type { PageFile } from '../app/page-routes.js';
import { TINY_ADVICE, type TinyPackage } from '../app/tiny-models.js';

/** Gives the path of the weights; undefined where the package is not installed. */
export function findTiny(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@dragoman/tiny/tiny.gguf');
  } catch {
    return undefined;
  }
}

/** The weights as a file of the page, which runs them in the browser. Read when they are asked for. */
export function weightsFile(path: string): PageFile | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return undefined;
  const { size, mtimeMs } = found;
  return {
    type: 'application/octet-stream',
    etag: `W/"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
    immutable: false,
    // Weights of eight bits do not compress, and a browser that knows the length shows how far it is.
    codings: ['identity'],
    body: async () => new Uint8Array(await readFile(path)),
  };
}

/** As many answers as the model writes at once. */
const SLOTS = 4;
/** Requests that may wait for it. */
const WAITING = 64;

/** Gives what loads the package, for a gateway: its requests take turns by key, and few of them wait. */
export function createTinyLoader(limits: QueueOptions = { slots: SLOTS, waiting: WAITING }) {
  let queue: FairQueue | undefined;
  return async (): Promise<TinyPackage> => {
    const [tiny, local] = await Promise.all([loadTinyPackage(), import('@dragoman/local')]);
    queue ??= new local.FairQueue(limits);
    const turns = queue;
    return { ...tiny, createTinyUpstream: (options) => withTurns(tiny.createTinyUpstream(options), turns) };
  };
}

function withTurns(upstream: Upstream, queue: FairQueue): Upstream {
  return {
    ...upstream,
    async *ask(request, context) {
      const leave = await queue.enter(context.client, context.signal);
      try {
        yield* upstream.ask(request, context);
      } finally {
        leave();
      }
    },
  };
}

/** Throws an ApiError that says what to install. */
export async function loadTinyPackage(): Promise<TinyPackage> {
  try {
    return await import('@dragoman/tiny');
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new ApiError('not-found', `${TINY_ADVICE}.`, { path: 'model', retryable: false, cause: error });
  }
}
