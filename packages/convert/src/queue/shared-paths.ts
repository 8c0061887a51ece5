// Paths that several machines understand: relative to a root that may be mounted at different paths, or absolute if it
// is mounted at the same path everywhere.

import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Settings } from '../files/block.js';
import { ConvertError } from '../files/convert-error.js';

/** Gives the path for a job: with `/`, relative to the root if there is one. */
export function toShared(path: string, root: string | undefined): string {
  if (root === undefined) return resolve(path);
  const below = relative(resolve(root), resolve(path));
  if (isOutside(below))
    throw new ConvertError(`${path} is not below --root ${root}, so workers cannot see it`);
  return below.replaceAll(sep, '/');
}

/** Gives the path on this machine. A worker with a root touches nothing outside of it, whatever a job names. */
export function fromShared(path: string, root: string | undefined): string {
  if (root === undefined) {
    if (isAbsolute(path)) return path;
    throw new ConvertError(`${path} is below a root: start the worker with --root <folder>`, 'input');
  }
  const here = resolve(root, path);
  if (isOutside(relative(resolve(root), here))) throw outside(path, root);
  return here;
}

/** Throws if a symbolic link leads out of the root. The path must exist. */
export function checkInside(path: string, root: string | undefined): void {
  if (root === undefined) return;
  if (isOutside(relative(realpathSync(root), realpathSync(path)))) throw outside(path, root);
}

function isOutside(below: string): boolean {
  return isAbsolute(below) || below === '..' || below.startsWith(join('..', sep));
}

function outside(path: string, root: string): ConvertError {
  const how = isAbsolute(path) ? '; give --root to convert as well' : '';
  return new ConvertError(`${path} is outside of this worker's --root ${root}${how}`, 'input');
}

/** Throws if the root does not exist on this machine. */
export function checkRoot(root: string | undefined): void {
  if (root === undefined || statSync(root, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new ConvertError(`--root: there is no folder ${root}`, 'input');
}

/** Gives the settings with other paths of the files that they name: a tokenizer, and files to join to scored rows. */
export function withFiles(settings: Settings, pathOf: (path: string) => string): Settings {
  const file = settings.training?.tokenizer;
  const joins = settings.score?.joins;
  return {
    ...settings,
    ...(file && { training: { ...settings.training, tokenizer: { ...file, path: pathOf(file.path) } } }),
    ...(joins && {
      score: { ...settings.score, joins: joins.map((join) => ({ ...join, path: pathOf(join.path) })) },
    }),
  } as Settings;
}
