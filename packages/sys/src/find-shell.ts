// The shell that runs commands: bash where there is one, else the system's own.

import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ToolError } from '@dragoman/core/agent';

export interface ShellSearch {
  /** The shell given by the caller, used as it is. */
  given?: string | undefined;
  /** The value of PATH. Relative folders in it are skipped: they depend on the working folder. */
  path?: string | undefined;
  isExecutable?: (path: string) => boolean;
}

export function findShell(search: ShellSearch = {}): string {
  const { path = '', isExecutable = isExecutableFile } = search;
  if (search.given !== undefined) return search.given;
  const folders = path.split(':').filter(isAbsolute);
  const candidates = [
    ...folders.map((folder) => join(folder, 'bash')),
    '/bin/bash',
    '/usr/bin/bash',
    '/bin/sh',
    ...folders.map((folder) => join(folder, 'sh')),
  ];
  const found = candidates.find(isExecutable);
  if (found === undefined) throw new ToolError('There is neither bash nor sh on this machine.');
  return found;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
