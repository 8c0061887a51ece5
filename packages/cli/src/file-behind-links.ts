import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Links in a row that are followed: as many as Linux follows. */
const MOST_LINKS = 40;

/** Gives the file that a path leads to by symbolic links, also where that file, or its folder, is not there yet. */
export function fileBehindLinks(path: string): string {
  let place = resolve(path);
  for (let links = 0; links < MOST_LINKS; links++) {
    place = join(realFolder(dirname(place)), basename(place));
    const target = linkTarget(place);
    if (target === undefined) break;
    place = resolve(dirname(place), target);
  }
  return place;
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Gives what a symbolic link holds; undefined if the path is none. */
export function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
