// The models of a folder, of which some are loaded: each when it is first asked for. Where the files of the loaded ones
// exceed the bound, those that nobody uses are unloaded, the least recently used first.

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
}

export const DEFAULT_PARALLEL = 4;
const DEFAULT_WAITING = 64;

interface Entry {
  file: GgufFile;
  queue: FairQueue;
  model: Promise<LocalModel> | undefined;
  /** Answers that are being written. */
  leases: number;
  used: number;
}

export class ModelShelf {
  readonly #entries = new Map<string, Entry>();
  /** The last load: one goes on at a time, so that two do not make room for themselves alone. */
  #loading: Promise<unknown> = Promise.resolve();
  #count = 0;
  /** Those who wait for a model to be unused. */
  #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(readonly options: ShelfOptions = {}) {}

  /** Waits for the client's turn, and for the model to be loaded. */
  async lease(
    file: GgufFile,
    { client, signal }: Pick<UpstreamContext, 'client' | 'signal'>,
  ): Promise<Lease> {
    const entry = this.#entryOf(file);
    const leave = await entry.queue.enter(client, signal);
    entry.leases++;
    entry.used = ++this.#count;
    const release = () => {
      entry.leases--;
      leave();
      for (const tell of this.#waiting.splice(0)) tell();
    };
    try {
      return { model: await this.#modelOf(entry), release: once(release) };
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
    return [...this.#entries.values()].filter(({ model }) => model).map(({ file }) => file.name);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map((entry) => this.#unload(entry)));
  }

  #entryOf(file: GgufFile): Entry {
    const known = this.#entries.get(file.path);
    if (known) return known;
    const { parallel = DEFAULT_PARALLEL, waiting = DEFAULT_WAITING } = this.options;
    const queue = new FairQueue({ slots: parallel, waiting });
    const entry = { file, queue, model: undefined, leases: 0, used: 0 };
    this.#entries.set(file.path, entry);
    return entry;
  }

  async #modelOf(entry: Entry): Promise<LocalModel> {
    if (!entry.model) {
      const loading = this.#loading.then(() => this.#load(entry));
      this.#loading = loading.catch(() => {});
      entry.model = loading;
      loading.catch(() => {
        entry.model = undefined;
      });
    }
    return entry.model;
  }

  async #load(entry: Entry): Promise<LocalModel> {
    await this.#makeRoom(entry);
    if (this.#isClosed) throw new Error('the models are closed');
    const start = performance.now();
    const { load = loadByLlama } = this.options;
    const model = await load(entry.file, this.options);
    this.#tell(entry.file, 'loaded', start);
    return model;
  }

  async #makeRoom({ file }: Entry): Promise<void> {
    const { memory = totalmem() / 2 } = this.options;
    for (;;) {
      const others = [...this.#entries.values()].filter((one) => one.model && one.file.path !== file.path);
      const size = others.reduce((sum, one) => sum + one.file.size, file.size);
      if (others.length === 0 || size <= memory) return;
      const idle = others.filter(({ leases }) => leases === 0).sort((a, b) => a.used - b.used);
      const [oldest] = idle;
      if (oldest) await this.#unload(oldest);
      else await new Promise<void>((tell) => this.#waiting.push(tell));
    }
  }

  async #unload(entry: Entry): Promise<void> {
    const { model: loading, file } = entry;
    entry.model = undefined;
    const model = await loading?.catch(() => undefined);
    if (!model) return;
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

function once(call: () => void): () => void {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    call();
  };
}
