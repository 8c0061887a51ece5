// A file that a command writes last, such as a report: whether it can be written is asked before the work, and if it
// fails all the same, what the command has to tell is not lost.

import { access, constants, lstat, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CommandError, messageOf } from './command-error.js';

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
  try {
    await tryToOpen(path);
  } catch (error) {
    const folder = dirname(resolve(path));
    const made = output === undefined || output === '-' ? [] : [resolve(output), dirname(resolve(output))];
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && made.includes(folder)) return;
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
  return `--${option}: cannot write ${path}: ${messageOf(error)}`;
}

async function tryToOpen(path: string): Promise<void> {
  // A link to a file that is not there yet counts as found: it must not be removed.
  const found = await stat(path).catch(() => lstat(path).catch(() => undefined));
  // The reader of a pipe would take the end of this try for the end of the text.
  if (found?.isFIFO()) return access(path, constants.W_OK);
  if (found) return openFor('a', path);
  await openFor('wx', path);
  await rm(path);
}

async function openFor(flags: 'a' | 'wx', path: string): Promise<void> {
  const file = await open(path, flags);
  await file.close();
}
