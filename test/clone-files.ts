// A clone as a new user has it: the sources without what was installed or built, and npm without the run around it.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.js';

/** The files that git knows, or would add: paths from the root. They are also the context of Docker (.dockerignore). */
export function cloneFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root });
  const ignored = /^\.git\/|(^|\/)(node_modules|dist)\/|^packages\/gateway\/page\/|\.(log|tgz)$/;
  const files = listed.toString().split('\0');
  return files.filter((path) => path !== '' && !ignored.test(path) && existsSync(join(root, path)));
}

/** npm keeps the settings and the cache of this machine, and nothing of the run that started the test. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_ENV$|VITEST|INIT_CWD$)/.test(name),
  );
  return Object.fromEntries(own);
}
