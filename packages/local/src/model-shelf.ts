// The models of a folder, of which some are loaded: each when it is first asked for. Where the files of the loaded ones
// exceed the bound, those that nobody uses are unloaded, the least recently used first. Where all are used, the least
// recently used one begins no more answers until it is unloaded: a busy model does not keep others out.

import { totalmem } from 'node:os';
import type { UpstreamContext } from '@dragoman/core/bridge';
import { FairQueue } from './fair-queue.js';
import type { GgufFile } from './gguf/gguf-files.js';
import type { LlamaOptions } from './llama/llama-model.js';
import type { LocalModel } from './local-model.js';
import type { Lease } from './local-upstream.js';

export interface ShelfOptions extends LlamaOptions {
  /** Bytes of the files of loaded models. A single one may exceed it. Default: half of the machine's memory. */
  memory?: number;
  /** Requests that may wait for a model. Default 64. */
  waiting?: number;
  /** Loads a model. Default: by llama.cpp. */
  load?: (file: GgufFile, options: LlamaOptions) => Promise<LocalModel>;
  /** Told when a model is loaded or unloaded, and how long it took. */
  onChange?: (change: { file: GgufFile; type: 'loaded' | 'unloaded'; milliseconds: number }) => void;
  /** Told when a model of a retired shelf could not be unloaded. */
  onError?: (error: unknown, file: GgufFile) => void;
}

export const DEFAULT_PARALLEL = 4;
const DEFAULT_WAITING = 64;

interface Entry {
  file: GgufFile;
  queue: FairQueue;
  /** Of a model that is loaded, or is to be. */
  model: Promise<LocalModel> | undefined;
  isLoaded: boolean;
  /** Another model waits for its room: it begins no answers. */
  isLeaving: boolean;
  /** Answers that are being written, or wait for the model to be loaded. */
  leases: number;
  used: number;
}

export class ModelShelf {
  readonly #entries = new Map<string, Entry>();
  /** The last load: one goes on at a time, so that two do not make room for themselves alone. */
  #loading: Promise<unknown> = Promise.resolve();
  #count = 0;
  /** Those who wait for an answer to end, or for a model to be unloaded. */
  #waiting: (() => void)[] = [];
  #isRetired = false;
  #isClosed = false;

  constructor(readonly options: ShelfOptions = {}) {}

  /** Waits for the client's turn, and for the model to be loaded. */
  async lease(
    file: GgufFile,
    { client, signal }: Pick<UpstreamContext, 'client' | 'signal'>,
  ): Promise<Lease> {
    const entry = this.#entryOf(file);
    const leave = await entry.queue.enter(client, signal);
    let isCounted = false;
    const release = once(() => {
      if (isCounted) entry.leases--;
      leave();
      this.#tellWaiting();
      if (this.#isRetired) this.#unloadUnused(entry);
    });
    try {
      while (entry.isLeaving) await unlessAborted(this.#nextChange(), signal);
      isCounted = true;
      entry.leases++;
      entry.used = ++this.#count;
      return { model: await unlessAborted(this.#modelOf(entry), signal), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Starts the engine, so that a missing one is told before the first request. Throws a LocalModelError. */
  async checkEngine(): Promise<void> {
    if (this.options.load) return;
    const { loadEngine } = await import('./llama/load-llama.js');
    await loadEngine(this.options);
  }

  /** Loads a model before it is asked for. */
  async preload(file: GgufFile): Promise<void> {
    const { release } = await this.lease(file, { signal: new AbortController().signal });
    release();
  }

  /** The names of the loaded models. */
  get loaded(): string[] {
    return [...this.#entries.values()].filter(({ isLoaded }) => isLoaded).map(({ file }) => file.name);
  }

  /** Unloads each model as soon as nobody uses it. Requests that come late are still answered. */
  retire(): void {
    this.#isRetired = true;
    for (const entry of this.#entries.values()) this.#unloadUnused(entry);
  }

  /** Unloads all models at once, also those that write answers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#tellWaiting();
    await Promise.all([...this.#entries.values()].map((entry) => this.#unload(entry)));
  }

  #entryOf(file: GgufFile): Entry {
    const known = this.#entries.get(file.path);
    if (known) return known;
    const { parallel = DEFAULT_PARALLEL, waiting = DEFAULT_WAITING } = this.options;
    const queue = new FairQueue({ slots: parallel, waiting });
    const entry = { file, queue, model: undefined, isLoaded: false, isLeaving: false, leases: 0, used: 0 };
    this.#entries.set(file.path, entry);
    return entry;
  }

  async #modelOf(entry: Entry): Promise<LocalModel> {
    if (!entry.model) {
      const loading: Promise<LocalModel> = this.#loading.then(() =>
        this.#load(entry, () => entry.model === loading),
      );
      this.#loading = loading.catch(() => {});
      entry.model = loading;
    }
    return entry.model;
  }

  async #load(entry: Entry, isCurrent: () => boolean): Promise<LocalModel> {
    try {
      while (!(await this.#makeRoom(entry))) {
        // Asked here, where nothing comes between the answer and what is done: a request may just have come.
        if (entry.leases === 0) throw new Error('nobody waits for the model any more');
      }
      if (this.#isClosed) throw new Error('the models are closed');
      const start = performance.now();
      const { load = loadByLlama } = this.options;
      const model = await load(entry.file, this.options);
      entry.isLoaded = true;
      this.#tell(entry.file, 'loaded', start);
      return model;
    } catch (error) {
      if (isCurrent()) entry.model = undefined;
      throw error;
    }
  }

  /** Unloads others until there is room for a model. False if nobody waits for it any more. */
  async #makeRoom(entry: Entry): Promise<boolean> {
    const { memory = totalmem() / 2 } = this.options;
    const leaving = new Set<Entry>();
    try {
      for (;;) {
        const others = [...this.#entries.values()].filter((one) => one.isLoaded && one !== entry);
        const size = others.reduce((sum, one) => sum + one.file.size, entry.file.size);
        if (others.length === 0 || size <= memory || this.#isClosed) return true;
        if (entry.leases === 0) return false;
        others.sort((a, b) => a.used - b.used);
        const idle = others.find(({ leases }) => leases === 0);
        if (idle) {
          await this.#unload(idle);
          continue;
        }
        const [oldest] = others;
        if (oldest && !others.some((one) => leaving.has(one))) {
          leaving.add(oldest);
          oldest.isLeaving = true;
        }
        await this.#nextChange();
      }
    } finally {
      for (const one of leaving) one.isLeaving = false;
      this.#tellWaiting();
    }
  }

  #nextChange(): Promise<void> {
    return new Promise((tell) => this.#waiting.push(tell));
  }

  #tellWaiting(): void {
    for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Unloads a model of which no request has a slot: one that waited for it may be about to begin. */
  #unloadUnused(entry: Entry): void {
    if (entry.queue.size.served > 0) return;
    this.#unload(entry).catch((error) => this.options.onError?.(error, entry.file));
  }

  async #unload(entry: Entry): Promise<void> {
    const { model: loading, file } = entry;
    entry.model = undefined;
    entry.isLoaded = false;
    const model = await loading?.catch(() => undefined);
    if (!model) return;
    entry.isLoaded = false;
    const start = performance.now();
    await model.close();
    this.#tell(file, 'unloaded', start);
  }

  #tell(file: GgufFile, type: 'loaded' | 'unloaded', start: number): void {
    this.options.onChange?.({ file, type, milliseconds: Math.round(performance.now() - start) });
  }
}

async function loadByLlama(file: GgufFile, options: LlamaOptions): Promise<LocalModel> {
  // Only here: whoever has no such model never loads it.
  const { loadLlamaModel } = await import('./llama/llama-model.js');
  return loadLlamaModel(file, options);
}

/** Rejects with the reason of the signal as soon as it is aborted. */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  // Nobody else may listen to it.
  promise.catch(() => {});
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function once(call: () => void): () => void {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    call();
  };
}
