// list_files: what is in a folder, sorted, bounded, links not followed.

import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { explain, type Folder, type Place } from './folder.js';
import { visible } from './visible.js';

export interface ListOptions {
  recursive: boolean;
  /** How many entries are shown. */
  entries: number;
  signal: AbortSignal;
}

interface Entry {
  /** Relative to the listed folder. */
  path: string;
  mark: string;
}

/** Folders that are listed but not entered unless named: they are large and rarely wanted. */
const unentered = new Set(['.git', 'node_modules']);

/** How many entries are looked at for each one shown, so that the first in order come from more than a few. */
const LOOKED_AT = 20;

/** Level by level, so that a bound cuts off what is deep and not what comes late in the alphabet. */
export async function listFiles(folder: Folder, path: string, options: ListOptions): Promise<string> {
  const place = await folder.findExisting(path, options.signal);
  const shown: Entry[] = [];
  let complete = true;
  let level = [''];
  while (level.length > 0) {
    const next: string[] = [];
    for (const at of level) {
      const room = options.entries - shown.length;
      const found = await entriesOf(folder, place, at, room, options.signal);
      if (found === undefined) markUnreadable(shown, at);
      else {
        complete &&= found.complete;
        shown.push(...found.entries);
        next.push(...found.folders);
      }
    }
    level = options.recursive ? next : [];
  }
  return toText(shown, complete, options.entries);
}

interface Found {
  entries: Entry[];
  /** The folders to enter next. */
  folders: string[];
  complete: boolean;
}

/** Undefined for a folder below the listed one that cannot be opened. */
async function entriesOf(
  folder: Folder,
  place: Place,
  at: string,
  room: number,
  signal: AbortSignal,
): Promise<Found | undefined> {
  signal.throwIfAborted();
  const name = at === '' ? place.name : `${place.name}/${at}`;
  try {
    const { handle, path } = await folder.openFolder({ real: join(place.real, at), name });
    try {
      return sortedEntries(await readSome(path, room * LOOKED_AT, signal), at, room);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (at === '' || signal.aborted) return explainUnlessAborted(error, name, signal);
    return undefined;
  }
}

function explainUnlessAborted(error: unknown, name: string, signal: AbortSignal): never {
  signal.throwIfAborted();
  return explain(name)(error);
}

async function readSome(path: string, most: number, signal: AbortSignal): Promise<Dirent[]> {
  const some: Dirent[] = [];
  for await (const entry of await opendir(path)) {
    signal.throwIfAborted();
    // One more than may be looked at says that there are more.
    if (some.push(entry) > most) break;
  }
  return some;
}

function sortedEntries(found: Dirent[], at: string, room: number): Found {
  const sorted = found.sort((one, other) => (one.name < other.name ? -1 : 1));
  const kept = sorted.slice(0, room);
  const pathOf = ({ name }: Dirent) => (at === '' ? name : `${at}/${name}`);
  return {
    entries: kept.map((entry) => ({ path: pathOf(entry), mark: markOf(entry) })),
    folders: kept.filter((entry) => entry.isDirectory() && !unentered.has(entry.name)).map(pathOf),
    complete: kept.length === found.length,
  };
}

function markOf(entry: Dirent): string {
  if (entry.isDirectory()) return '/';
  if (entry.isSymbolicLink()) return ' (link)';
  return entry.isFile() ? '' : ' (not a regular file)';
}

function markUnreadable(shown: Entry[], path: string): void {
  const entry = shown.find((one) => one.path === path);
  if (entry) entry.mark = '/ (cannot be opened)';
}

function toText(shown: Entry[], complete: boolean, most: number): string {
  if (shown.length === 0 && complete) return '[The folder is empty.]';
  // A folder stands before what is in it, and no other name between them.
  const sorted = shown.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  const lines = sorted.map(({ path, mark }) => oneLine(path) + mark);
  if (!complete)
    lines.push(`[There are more; the first ${most} are shown. List a folder of these, or use a command.]`);
  return lines.join('\n');
}

function sortKey({ path }: Entry): string {
  return path.replaceAll('/', '\0');
}

/** A line break in a name must not look like another entry. */
function oneLine(path: string): string {
  return visible(path).replaceAll('\n', '\\n');
}
