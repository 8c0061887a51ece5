// A configuration that is read again when it changes, or a file of a dialect that it names. Streams that are open are none of its business: whoever is
// told puts the new configuration in the place of the old one.
//
// Editors write a new file and rename it over the old one, and a Kubernetes volume swaps a link, so folders are
// watched, not files; what counts is whether the contents differ.

import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type LoadOptions, type LoadResult, loadConfig } from './load-config.js';

export interface WatchOptions extends LoadOptions {
  /** The files of dialects that the configuration names so far, as loadConfig gave them. */
  dialectFiles?: readonly string[];
  /** Milliseconds without a further change before the files are read. Default 100. */
  debounce?: number;
  /** Milliseconds between two looks at the files, for file systems that tell nothing. Default 5,000; 0: never. */
  poll?: number;
}

export interface ConfigWatch {
  /** What the files say now, if that is new. For a signal that asks for it. */
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
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #poll: ReturnType<typeof setInterval> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Looks at the files stand in line, so that the last one is told last. */
  #looks: Promise<void>;
  #known: string | undefined;
  #dialectFiles: readonly string[];
  #closed = false;

  constructor(
    private readonly path: string,
    private readonly onChange: (result: LoadResult) => void,
    private readonly options: WatchOptions,
  ) {
    const { poll = 5000, dialectFiles = [] } = options;
    this.#dialectFiles = dialectFiles;
    this.#looks = this.#contents().then((contents) => {
      this.#known = contents;
    });
    this.#watchFolders();
    if (poll > 0) this.#poll = setInterval(() => void this.check(), poll).unref();
  }

  check(): Promise<void> {
    this.#looks = this.#looks.then(() => this.#look());
    return this.#looks;
  }

  close(): void {
    this.#closed = true;
    for (const watcher of this.#watchers.values()) watcher.close();
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
  }

  /** Those of the files that are named now, and no others. */
  #watchFolders(): void {
    const folders = new Set([this.path, ...this.#dialectFiles].map((file) => dirname(file)));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watchFolder(folder);
  }

  /** Where watching is refused (too many watches), looking now and then must do. */
  #watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#soon());
      watcher.on('error', () => watcher.close());
      this.#watchers.set(folder, watcher);
    } catch {}
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
    const result = await this.#load();
    if (!this.#closed) this.onChange(result);
  }

  /** Where other files are named than before, they are looked at before they are read, so that no change is missed. */
  async #load(): Promise<LoadResult> {
    const result = await loadConfig(this.path, this.options);
    if (this.#closed || isDeepStrictEqual(result.dialectFiles, this.#dialectFiles)) return result;
    this.#dialectFiles = result.dialectFiles;
    this.#watchFolders();
    this.#known = await this.#contents();
    return loadConfig(this.path, this.options);
  }

  /** All files as they are; undefined if the configuration is gone. */
  async #contents(): Promise<string | undefined> {
    const [own, ...others] = await Promise.all([this.path, ...this.#dialectFiles].map(textOf));
    return own === undefined ? undefined : JSON.stringify([own, ...others]);
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
