// The one folder the file tools may touch, and how a path the model wrote is kept inside it.
//
// A path is refused where its text leads out (`..`, another absolute path), and where the file system does: by a
// symbolic link anywhere on the way, also one that leads nowhere. Links from inside to inside are followed. What
// was opened is looked at again before a byte of it is read or written, since a link may have been set in
// between. On Linux the descriptor itself is asked, and files are made and renamed below it, which leaves no gap.
//
// Not promised: elsewhere than on Linux the path is asked for once more, so a program that swaps folders for links
// at that very moment can have a file read or written outside. A hard link made inside to a file outside cannot be
// told from a file, so it can be read (writing replaces it and leaves the outside file alone). A mount inside is
// inside. And a shell command is not confined at all.

import { realpathSync, type Stats, statSync } from 'node:fs';
import { constants, type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { UsageError } from '@dragoman/core';
import { ToolError } from '@dragoman/core/agent';
import { visible } from './visible.js';

/** A path of the model that is inside, as far as it exists. */
export interface Place {
  /** For messages: relative to the folder, with forward slashes; `.` is the folder itself. */
  name: string;
  /** The part of it that exists, without links. */
  real: string;
  /** The names behind it that do not exist yet. */
  missing: string[];
}

/** Virtual file systems of the kernel: reading them can give secrets or never end. */
const kernelFolders = ['/proc', '/sys', '/dev'];

/** The longest path that Linux opens (PATH_MAX). */
const LONGEST_PATH = 4096;

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;

export class Folder {
  private constructor(
    /** As the caller named it: an absolute path of the model may begin so. */
    readonly given: string,
    /** Without links, found out once. */
    readonly root: string,
    /** Whether the system can give the path of an open file. */
    private readonly tells: boolean,
  ) {}

  /** Resolved once, at the start: a link that is set later does not move the folder. */
  static at(path: string, platform: NodeJS.Platform = process.platform): Folder {
    const given = resolve(path);
    const root = realOf(given);
    if (isKernels(root)) throw bad(`${given} belongs to the system: choose another folder`);
    return new Folder(given, root, platform === 'linux');
  }

  /**
   * Throws a ToolError, in words for the model, if the path leads out or is none. Where a folder is missing, so is all
   * that is in it: how much of the path exists is found by bisection, so that a deep path costs a dozen looks.
   */
  async find(path: string, signal?: AbortSignal): Promise<Place> {
    const asked = this.#insideByText(path);
    const names = relative(this.root, asked).split(sep).filter(Boolean);
    const lookAt = (levels: number) => {
      signal?.throwIfAborted();
      return this.#realOrMissing([this.root, ...names.slice(0, levels)].join(sep), path);
    };
    let real = await lookAt(names.length);
    let there = real === undefined ? -1 : names.length;
    for (let above = names.length; there + 1 < above; ) {
      const level = Math.floor((there + above) / 2);
      const found = await lookAt(level);
      if (found === undefined) above = level;
      else [real, there] = [found, level];
    }
    if (real === undefined) throw new ToolError('The working folder is not there any more.');
    if (!this.#holds(real)) throw leadsOut(path);
    return { name: this.#nameOf(asked), real, missing: names.slice(there) };
  }

  /** The same for what has to be there already. */
  async findExisting(path: string, signal?: AbortSignal): Promise<Place> {
    const place = await this.find(path, signal);
    if (place.missing.length > 0) throw new ToolError(`There is no ${visible(place.name)}.`);
    return place;
  }

  /** Opens a regular file to be read. Anything else (devices, pipes, sockets, folders) is refused unopened. */
  async openFile({ real, name }: Place): Promise<FileHandle> {
    refuseIrregular(await lstat(real).catch(explain(name)), name);
    // Should it have become a pipe since, opening must not wait for a writer.
    const file = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(explain(name));
    return await checked(file, async () => {
      refuseIrregular(await file.stat(), name);
      await this.#checkOpened(file, real, name);
    });
  }

  /** A folder held open: its entries are reached by `path`, which on Linux stays the same folder whatever moves. */
  async openFolder({
    real,
    name,
  }: Pick<Place, 'real' | 'name'>): Promise<{ handle: FileHandle; path: string }> {
    const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_DIRECTORY).catch(explain(name));
    await checked(handle, () => this.#checkOpened(handle, real, name));
    return { handle, path: (await this.#linkOf(handle)) ?? real };
  }

  #insideByText(path: string): string {
    if (path.includes('\0')) throw new ToolError('A path cannot contain a NUL character.');
    if (!path.isWellFormed())
      throw new ToolError('A path must be well-formed Unicode: it holds half a pair.');
    if (path.length > LONGEST_PATH)
      throw new ToolError(
        `A path of ${path.length} characters is too long: at most ${LONGEST_PATH} are read.`,
      );
    const inGiven = isAbsolute(path) ? inside(this.given, resolve(path)) : undefined;
    const asked = resolve(this.root, inGiven ?? path);
    if (!this.#holds(asked)) throw leadsOut(path);
    return asked;
  }

  /** Undefined if nothing has that name. A link that leads nowhere is refused as one that leads out is. */
  async #realOrMissing(at: string, path: string): Promise<string | undefined> {
    try {
      return await realpath(at);
    } catch (error) {
      // Behind a file nothing can be: the file itself is looked at next.
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') return explain(path)(error);
    }
    const found = await lstat(at).catch(() => undefined);
    if (found) throw leadsOut(path);
    return undefined;
  }

  #holds(path: string): boolean {
    return inside(this.root, path) !== undefined && !isKernels(path);
  }

  #nameOf(path: string): string {
    return relative(this.root, path).replaceAll(sep, '/') || '.';
  }

  async #checkOpened(handle: FileHandle, real: string, name: string): Promise<void> {
    const link = await this.#linkOf(handle);
    const at = link ? await readlink(link) : await realpath(real);
    if (!this.#holds(at)) throw leadsOut(name);
    if (link) return;
    const [opened, found] = [await handle.stat(), await stat(at)];
    if (opened.dev !== found.dev || opened.ino !== found.ino) throw leadsOut(name);
  }

  /** The name Linux gives to what is open, if /proc is there. */
  async #linkOf(handle: FileHandle): Promise<string | undefined> {
    if (!this.tells) return undefined;
    const link = `/proc/self/fd/${handle.fd}`;
    return await lstat(link).then(
      () => link,
      () => undefined,
    );
  }
}

function realOf(folder: string): string {
  let root: string;
  try {
    root = realpathSync.native(folder);
  } catch (error) {
    throw bad(`${folder} cannot be opened (${codeOf(error)})`);
  }
  if (!statSync(root).isDirectory()) throw bad(`${folder} is not a folder`);
  return root;
}

function bad(message: string): UsageError {
  return new UsageError('bad-options', message, 'folder');
}

/** The way from one path to another below it (`''` for the same), or undefined. By text alone. */
function inside(root: string, path: string): string | undefined {
  const way = relative(root, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}

function isKernels(path: string): boolean {
  return kernelFolders.some((folder) => inside(folder, path) !== undefined);
}

async function checked(handle: FileHandle, check: () => Promise<void>): Promise<FileHandle> {
  try {
    await check();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export function refuseIrregular(stats: Stats, name: string): void {
  if (stats.isFile()) return;
  const kind = stats.isDirectory() ? 'a folder' : 'not a regular file (a pipe, a socket, a device or a link)';
  throw new ToolError(`${visible(name)} is ${kind}.`);
}

function leadsOut(path: string): ToolError {
  return new ToolError(
    `${visible(path)} is refused: it leads out of the working folder, or over a link that does. ` +
      'Use a path inside, relative to the folder.',
  );
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

const sentences = new Map([
  ['ENOENT', 'is not there'],
  ['ENOTDIR', 'is no folder'],
  ['EISDIR', 'is a folder'],
  ['EACCES', 'cannot be opened: permission denied'],
  ['EPERM', 'cannot be opened: not permitted'],
  ['EROFS', 'cannot be written: the file system is read-only'],
  ['ENOSPC', 'cannot be written: no space is left'],
  ['ELOOP', 'is refused: a symbolic link stands in the way'],
  ['ENAMETOOLONG', 'is too long a path'],
  ['ENXIO', 'is not a regular file'],
]);

/** An error of the system, as a sentence that names the model's path and not the machine's. */
export function explain(name: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ToolError) throw error;
    const code = codeOf(error);
    const said = sentences.get(code ?? '') ?? `cannot be used (${code ?? 'unknown error'})`;
    throw new ToolError(`${visible(name)} ${said}.`, { cause: error });
  };
}
