// A file that a command writes last, such as a report: whether it can be written is asked before the work, and if it
// fails all the same, what the command has to tell is not lost.

import { access, constants, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CommandError, messageOf } from './command-error.js';
import { fileBehindLinks, linkTarget } from './file-behind-links.js';

/**
 * Throws a CommandError where the file that an option names cannot be written. Leaves what is there as it is. `output` is
 * what the command writes to before: its folder may not be there yet.
 */
export async function checkLastFile(
  option: string,
  path: string | undefined,
  output: string | undefined,
): Promise<void> {
  if (path === undefined) return;
  const place = placeOf(path);
  try {
    await tryToOpen(place);
  } catch (error) {
    const folder = dirname(resolve(place));
    const made = output === undefined || output === '-' ? [] : [resolve(output), dirname(resolve(output))];
    if (codeOf(error) === 'ENOENT' && made.includes(folder)) return;
    throw new CommandError(complaint(option, path, error));
  }
}

/** Gives whether it is written; if not, the reason is on standard error. */
export async function writeLastFile(option: string, path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text);
    return true;
  } catch (error) {
    process.stderr.write(`dragoman: ${complaint(option, path, error)}\n`);
    return false;
  }
}

function complaint(option: string, path: string, error: unknown): string {
  const place = placeOf(path);
  const link = place === path ? '' : `it is a symbolic link to ${place}: `;
  return `--${option}: cannot write ${path}: ${link}${messageOf(error)}`;
}

/** The path as it is given, or the file behind it where it is a symbolic link. */
function placeOf(path: string): string {
  return linkTarget(path) === undefined ? path : fileBehindLinks(path);
}

async function tryToOpen(path: string): Promise<void> {
  const found = await stat(path).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  // The reader of a pipe would take the end of this try for the end of the text.
  if (found?.isFIFO()) return access(path, constants.W_OK);
  if (found) return openFor('a', path);
  try {
    await openFor('wx', path);
    await rm(path);
  } catch (error) {
    // Another command has made the file meanwhile: it is not ours to remove, and its folder can be written.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

async function openFor(flags: 'a' | 'wx', path: string): Promise<void> {
  const file = await open(path, flags);
  await file.close();
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
