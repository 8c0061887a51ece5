// Reads a configuration again when it, or a dialect file that it names, changes. Open streams are not affected: the
// listener replaces the old configuration by the new one.
//
// Editors write a new file and rename it over the old one, and a Kubernetes volume swaps a link. So folders are
// watched, not files, and only different contents count as a change.
//
// A program that writes over the old file may be cut off, and half a file of YAML is often valid: it lacks keys or
// limits. So contents must stay the same for a while, longer if they do not end with a line break, and where the first
// file ended with `...`, YAML's mark for the end, others must, too.

import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { loadInThread } from '../workers/load-in-thread.js';
import { type LoadOptions, type LoadResult, loadConfig } from './load-config.js';

/** Characters from which on a file is checked in a thread: a small one takes some milliseconds. */
const LARGE = 32 * 1024;

/** Files that are programs are loaded in this thread. */
const DATA: readonly string[] = ['.yaml', '.yml', '.json'];

export interface WatchOptions extends LoadOptions {
  /** The dialect files that the configuration names now, as loadConfig gave them. */
  dialectFiles?: readonly string[];
  /** What the file had when it was loaded, as loadConfig gave it: what has changed since then is a change, too. */
  text?: string | undefined;
  /** Milliseconds without a further change before the files are read. Default 100. */
  debounce?: number;
  /** Milliseconds that new contents must stay the same. Default 100. */
  settle?: number;
  /** The same for a file that does not end with a line break, unless it is one in braces. Default 1,000. */
  patience?: number;
  /** Milliseconds between two checks of the files, for file systems without events. Default 5,000; 0: never. */
  poll?: number;
}

/** What a listener should tell of a file beside its problems. */
interface ChangeNotes {
  /** The file does not end with a line break: it may be cut off. */
  isUnended: boolean;
}

type Listener = (result: LoadResult, notes: ChangeNotes) => void;

export interface ConfigWatch {
  /** Checks the files now, and reports a change. For a signal such as SIGHUP. */
  check(): Promise<void>;
  close(): void;
}

/** `path` is a file, as loadConfig gives it. A file that is missing or empty for a moment is waited for. */
export function watchConfig(path: string, onChange: Listener, options: WatchOptions = {}): ConfigWatch {
  const watching = new Watching(resolve(path), onChange, options);
  return { check: () => watching.check(), close: () => watching.close() };
}

class Watching {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #poll: ReturnType<typeof setInterval> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Checks run one after the other, so that the last one is reported last. */
  #looks: Promise<void>;
  #known: string | undefined;
  #dialectFiles: readonly string[];
  /** Whether the first file ends with the mark. */
  #hasEndMark = false;
  #closed = false;

  constructor(
    private readonly path: string,
    private readonly onChange: Listener,
    private readonly options: WatchOptions,
  ) {
    const { poll = 5000, dialectFiles = [], text } = options;
    this.#dialectFiles = dialectFiles;
    this.#looks = this.#contents(text).then((contents) => {
      this.#known = contents;
      this.#hasEndMark = hasEndMark(contents);
    });
    this.#watchFolders();
    if (text !== undefined) this.#soon();
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

  /** Watches the folders of the files that are named now, and no others. */
  #watchFolders(): void {
    const folders = new Set([this.path, ...this.#dialectFiles].map((file) => dirname(file)));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watchFolder(folder);
  }

  /** Watches a folder. If that is refused (too many watches), polling has to do. */
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
    const { settle = 100, patience = 1000 } = this.options;
    const isUnended = mayBeCut(contents);
    await wait(isUnended ? patience : settle, undefined, { ref: false });
    if (this.#closed) return;
    if ((await this.#contents()) !== contents) {
      this.#soon();
      return;
    }
    const before = this.#known;
    this.#known = contents;
    const isMarked = !this.#hasEndMark || hasEndMark(contents);
    const result = isMarked ? await this.#load(contents.length > LARGE) : this.#lacksMark();
    if ((await this.#contents()) === this.#known) {
      if (!this.#closed) this.onChange(result, { isUnended });
      return;
    }
    // Written again while it was read: what was loaded may be a part of it.
    this.#known = before;
    this.#soon();
  }

  /**
   * Loads the configuration. If it names other files than before, their contents are recorded before they are loaded,
   * so that no change is missed.
   */
  async #load(isLarge: boolean): Promise<LoadResult> {
    const load = isLarge && DATA.includes(extname(this.path)) ? loadInThread : loadConfig;
    const result = await load(this.path, this.options);
    if (this.#closed || isDeepStrictEqual(result.dialectFiles, this.#dialectFiles)) return result;
    this.#dialectFiles = result.dialectFiles;
    this.#watchFolders();
    this.#known = await this.#contents();
    return load(this.path, this.options);
  }

  #lacksMark(): LoadResult {
    const message = 'expected ... as the last line, as in the file that was read at the start';
    const hint = 'The file may be cut off. To go without the mark, restart.';
    const problems = [{ file: this.path, path: '', message, hint }];
    return { ok: false, problems, path: this.path, dialectFiles: this.#dialectFiles };
  }

  /**
   * Gives the contents of all files; undefined if the configuration is missing. An empty one is missing, too: a program
   * that writes a file empties it first, and an empty configuration would serve the demo model. `text`: what the
   * configuration had before.
   */
  async #contents(text?: string): Promise<string | undefined> {
    const [now = '', ...others] = await Promise.all([this.path, ...this.#dialectFiles].map(textOf));
    const own = text ?? now;
    return own.trim() === '' ? undefined : JSON.stringify([own, ...others]);
  }
}

function ownText(contents: string | undefined): string {
  return contents === undefined ? '' : ((JSON.parse(contents) as string[])[0] ?? '');
}

/** A file in braces that is cut off is no configuration; of others, most parts are. */
function mayBeCut(contents: string): boolean {
  const text = ownText(contents);
  return !text.endsWith('\n') && !text.trimStart().startsWith('{');
}

function hasEndMark(contents: string | undefined): boolean {
  return /\n\.\.\.\r?\n$/.test(ownText(contents));
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
