// Loads the tiny model: from bytes, from an address, or from this package.

import { TinyModel, type TinyModelOptions } from './tiny-model.js';

export interface LoadTinyOptions extends TinyModelOptions {
  /** The GGUF file, or where it is. Default: the one of this package, which Node finds. */
  weights?: Uint8Array | URL | string;
  /** Called while the file is loaded from an address. `total` is unknown where the server does not tell. */
  onProgress?: (progress: { loaded: number; total?: number }) => void;
  signal?: AbortSignal;
}

export async function loadTiny(options: LoadTinyOptions = {}): Promise<TinyModel> {
  const { weights = packagedWeights(), onProgress, signal, ...others } = options;
  const bytes = weights instanceof Uint8Array ? weights : await loadBytes(weights, onProgress, signal);
  return new TinyModel(bytes, others);
}

/** Not written as bundlers look for it: a page names its own address. */
function packagedWeights(): URL {
  const here = import.meta.url;
  return new URL('../model/tiny.gguf', here);
}

async function loadBytes(
  from: URL | string,
  onProgress: LoadTinyOptions['onProgress'],
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (from instanceof URL && from.protocol === 'file:') return readFileAt(from, signal);
  const response = await fetch(from, signal ? { signal } : {});
  if (!response.ok) throw new Error(`the weights could not be loaded: ${from} answered ${response.status}`);
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  return gather(response, onProgress);
}

async function readFileAt(from: URL, signal: AbortSignal | undefined): Promise<Uint8Array> {
  // A name that bundlers for browsers do not follow.
  const name = 'node:fs/promises';
  const { readFile } = (await import(/* @vite-ignore */ name)) as typeof import('node:fs/promises');
  return readFile(from, signal ? { signal } : {});
}

async function gather(response: Response, onProgress: LoadTinyOptions['onProgress']): Promise<Uint8Array> {
  const length = Number(response.headers.get('content-length'));
  const isPlain = response.headers.get('content-encoding') === null;
  const total = length > 0 && isPlain ? { total: length } : {};
  const parts: Uint8Array[] = [];
  let loaded = 0;
  const reader = response.body?.getReader();
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    const part: Uint8Array = step.value;
    parts.push(part);
    loaded += part.length;
    onProgress?.({ loaded, ...total });
  }
  const out = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

let shared: Promise<TinyModel> | undefined;

/** Gives the model of this package, which is loaded once in a process, when it is first asked for. */
export function sharedTiny(): Promise<TinyModel> {
  shared ??= loadTiny().catch((error) => {
    shared = undefined;
    throw error;
  });
  return shared;
}
