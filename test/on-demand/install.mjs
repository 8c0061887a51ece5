// A dependency of one test alone, too large or too odd to be one of the project: when it is first asked for, it is
// installed beside the test, in the version that the package.json there names.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { announceInstall } from '../installs.mjs';

const INSTALL_TIME = 120_000;
const FLAGS = [
  '--omit=optional',
  '--ignore-scripts',
  '--no-save',
  '--no-package-lock',
  '--no-audit',
  '--no-fund',
];

/**
 * The folder of the package that `folder`/package.json depends on. `beside`: packages it needs, in the same version.
 * Throws where they are not there and cannot be had.
 */
export async function installed(folder, beside = []) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [[name, version]] = Object.entries(dependencies);
  const names = [name, ...beside];
  const place = find(folder, names) ?? (await install(folder, names, version));
  if (!place) throw new Error(`${name} ${version} has no ${names.at(-1)}`);
  return join(place, name);
}

function find(folder, names) {
  const places = [join(folder, 'node_modules'), join(folder, '../../node_modules')];
  return places.find((place) => names.every((name) => existsSync(join(place, name))));
}

async function install(folder, names, version) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  announceInstall(`${names[0]} with npm`);
  const wanted = names.map((name) => `${name}@${version}`);
  try {
    await promisify(execFile)(npm, ['install', '--prefix', folder, ...FLAGS, ...wanted], {
      cwd: folder,
      timeout: INSTALL_TIME,
    });
  } catch (error) {
    throw new Error(`${names[0]} is not installed, and could not be: ${String(error.message).slice(0, 300)}`);
  }
  return find(folder, names);
}
