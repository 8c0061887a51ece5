// write_file: a whole file at once. It is either the old one or the new one, never half of it.
//
// The text goes into a new file beside the target, which then takes its name. So a hard link is not written
// through, and a program that has the old file open keeps the old one. The mode of the old file is kept, and its
// owner where the system allows it.

import { randomBytes } from 'node:crypto';
import { access, constants, type FileHandle, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '@dragoman/core/agent';
import { codeOf, explain, type Folder, type Place, refuseIrregular } from './folder.js';
import { visible } from './visible.js';

interface OldFile {
  size: number;
  mode: number;
  uid: number;
  gid: number;
}

/** A path that can be written, and the file that is there now. */
export interface Target {
  place: Place;
  /** The file that will be replaced. */
  old?: OldFile;
}

/** Refuses paths that cannot be written, before asking for approval. */
export async function findTarget(folder: Folder, path: string, signal?: AbortSignal): Promise<Target> {
  const place = await folder.find(path, signal);
  if (path.endsWith('/')) throw new ToolError(`${visible(path)} names a folder: a file name is needed.`);
  const stats = await lstat(place.real).catch(explain(place.name));
  if (place.missing.length > 0) {
    if (!stats.isDirectory()) throw new ToolError(`${visible(place.name)} goes on behind a file.`);
    return { place };
  }
  refuseIrregular(stats, place.name);
  // Taking its name would work without this right, and is not what its owner meant.
  await access(place.real, constants.W_OK).catch(explain(place.name));
  const { size, mode, uid, gid } = stats;
  return { place, old: { size, mode: mode & 0o777, uid, gid } };
}

/** Returns how many bytes were written. */
export async function writeFile(
  folder: Folder,
  { place, old }: Target,
  content: string,
  signal?: AbortSignal,
): Promise<number> {
  const bytes = Buffer.from(content, 'utf8');
  try {
    const parent = await openParent(folder, place, signal);
    try {
      await replace(parent.path, place.missing.at(-1) ?? basename(place.real), bytes, old);
    } finally {
      await parent.handle.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    explain(place.name)(error);
  }
  return bytes.length;
}

/** The folder of the target, held open. Missing ones are made one by one, each inside one that is held open. */
async function openParent(folder: Folder, { real, missing, name }: Place, signal?: AbortSignal) {
  let parent = await folder.openFolder({ real: missing.length > 0 ? real : dirname(real), name });
  for (const step of missing.slice(0, -1)) {
    const at = join(parent.path, step);
    try {
      signal?.throwIfAborted();
      await mkdir(at).catch(unlessThere);
      const next = await folder.openFolder({ real: at, name });
      await parent.handle.close();
      parent = next;
    } catch (error) {
      await parent.handle.close();
      throw error;
    }
  }
  return parent;
}

function unlessThere(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

async function replace(parent: string, name: string, bytes: Buffer, old: OldFile | undefined): Promise<void> {
  const fresh = join(parent, `.${randomBytes(9).toString('hex')}.tmp`);
  const file = await open(fresh, 'wx', old?.mode ?? 0o666);
  try {
    await fill(file, bytes, old);
    await rename(fresh, join(parent, name));
  } catch (error) {
    await unlink(fresh).catch(() => {});
    throw error;
  }
}

async function fill(file: FileHandle, bytes: Buffer, old: OldFile | undefined): Promise<void> {
  try {
    await file.writeFile(bytes);
    if (old) await keepRights(file, old);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function keepRights(file: FileHandle, { mode, uid, gid }: OldFile): Promise<void> {
  // Only root may give a file away; for anyone else it becomes their own, as it does with an editor.
  await file.chown(uid, gid).catch(() => {});
  // The mask of the process has taken bits away from the mode.
  await file.chmod(mode);
}
