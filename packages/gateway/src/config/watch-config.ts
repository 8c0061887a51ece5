// A configuration that is read again when it changes. Streams that are open are none of its business: whoever is
// told puts the new configuration in the place of the old one.
//
// Editors write a new file and rename it over the old one, and a Kubernetes volume swaps a link, so the folder is
// watched, not the file; what counts is whether the contents differ.

import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type LoadOptions, type LoadResult, loadConfig } from './load-config.js';

export interface WatchOptions extends LoadOptions {
  /** Milliseconds without a further change before the file is read. Default 100. */
  debounce?: number;
  /** Milliseconds between two looks at the file, for file systems that tell nothing. Default 5,000; 0: never. */
  poll?: number;
}

export interface ConfigWatch {
  /** What the file says now, if that is new. For a signal that asks for it. */
  check(): Promise<void>;
  close(): void;
}

/** `path` is a file, as loadConfig names it. A file that is gone for a moment is waited for. */
export function watchConfig(
  path: string,
  onChange: (result: LoadResult) => void,
  options: WatchOptions = {},
): ConfigWatch {
  const watching = new Watching(resolve(path), onChange, options);
  return { check: () => watching.check(), close: () => watching.close() };
}

class Watching {
  readonly #watcher: FSWatcher | undefined;
  readonly #poll: ReturnType<typeof setInterval> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Looks at the file stand in line, so that the last one is told last. */
  #looks: Promise<void>;
  #known: string | undefined;
  #closed = false;

  constructor(
    private readonly path: string,
    private readonly onChange: (result: LoadResult) => void,
    private readonly options: WatchOptions,
  ) {
    const { poll = 5000 } = options;
    this.#looks = this.#contents().then((contents) => {
      this.#known = contents;
    });
    this.#watcher = this.#watchFolder();
    if (poll > 0) this.#poll = setInterval(() => void this.check(), poll).unref();
  }

  check(): Promise<void> {
    this.#looks = this.#looks.then(() => this.#look());
    return this.#looks;
  }

  close(): void {
    this.#closed = true;
    this.#watcher?.close();
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
  }

  /** Where watching is refused (too many watches), looking now and then must do. */
  #watchFolder(): FSWatcher | undefined {
    try {
      const watcher = watch(dirname(this.path), { persistent: false }, () => this.#soon());
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch {
      return undefined;
    }
  }

  #soon(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), this.options.debounce ?? 100).unref();
  }

  async #look(): Promise<void> {
    const contents = await this.#contents();
    if (this.#closed || contents === undefined || contents === this.#known) return;
    this.#known = contents;
    const result = await loadConfig(this.path, this.options);
    if (!this.#closed) this.onChange(result);
  }

  async #contents(): Promise<string | undefined> {
    try {
      return await readFile(this.path, 'utf8');
    } catch {
      return undefined;
    }
  }
}
