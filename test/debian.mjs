// Programs from Debian packages, for tests and commands that need the real ones. A missing program is installed where
// installs.mjs allows it and we are root; else the caller skips its tests and reports why.

import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { announceInstall } from './installs.mjs';

const run = promisify(execFile);

/** Milliseconds. The default for tests. */
export const INSTALL_TIME = 60_000;

/** Gives the path of a program. Throws if it is missing and cannot be installed. `folders`: gives other folders to look in. */
export async function findOrInstall(
  program,
  debianPackage = program,
  folders = () => [],
  time = INSTALL_TIME,
) {
  const found = find(program, folders());
  if (found !== undefined) return found;
  announceInstall(`${debianPackage} with apt-get`);
  if (process.getuid?.() !== 0) throw new Error(`${program} is not installed, and only root can install it`);
  if (find('apt-get') === undefined) throw new Error(`${program} is not installed, and there is no apt-get`);
  await install([debianPackage], time);
  const installed = find(program, folders());
  if (installed === undefined) throw new Error(`${debianPackage} was installed, but brought no ${program}`);
  return installed;
}

/** All at once, which costs apt-get half of what it takes for one after the other. Throws if one cannot be installed. */
export async function installTogether(debianPackages, time = INSTALL_TIME) {
  announceInstall(`${debianPackages.join(', ')} with apt-get`);
  await install(debianPackages, time);
}

export function find(program, folders = []) {
  const all = [...folders, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin'];
  return all.map((folder) => join(folder, program)).find(isExecutable);
}

/** Debian keeps PostgreSQL out of PATH, in a folder a version. The newest first. */
export function postgresFolders() {
  const top = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(top).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(top, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * What is to be installed is fetched first, if need be with fresh lists, and that can be broken off. The installation
 * itself is not: half of one would be worse than none. It is only waited for no longer than allowed. Files that
 * install at the same time take turns.
 */
async function install(debianPackages, time) {
  const until = Date.now() + time;
  const left = () => Math.max(1, until - Date.now());
  const lock = [
    '-F',
    '-w',
    String(Math.ceil(time / 1000)),
    join(tmpdir(), 'dragoman-apt.lock'),
    'apt-get',
    '-qq',
  ];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (args, timeout = 0) => run('flock', [...lock, ...args], { timeout, env });
  const wanted = ['install', '-y', '--no-install-recommends', ...debianPackages];
  const fetch = () => apt([...wanted, '--download-only'], left());
  try {
    await fetch().catch(() => apt(['update'], left()).then(fetch));
    await Promise.race([apt(wanted), new Promise((_, reject) => setTimeout(reject, left()).unref())]);
  } catch {
    throw new Error(`apt-get could not install ${debianPackages.join(', ')} within ${time / 1000} s`);
  }
}
