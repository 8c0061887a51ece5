// llama.cpp as node-llama-cpp ships it. Its package brings a binary for every platform, 670 MB in all, so it is no
// dependency of the project: when a test first asks, it is installed here, with the one binary of this machine.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const HERE = import.meta.dirname;
const INSTALL_TIME = 120_000;
const PLACES = [join(HERE, 'node_modules'), join(HERE, '../../node_modules')];

/** The package's folder. Throws where it is not there and cannot be had. */
export async function findLlama() {
  const binary = `${{ linux: 'linux', darwin: 'mac', win32: 'win' }[process.platform]}-${process.arch}`;
  const platform = binary === 'mac-arm64' ? 'mac-arm64-metal' : binary;
  const found = find(platform);
  if (found) return found;
  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  const version = dependencies['node-llama-cpp'];
  const wanted = [`node-llama-cpp@${version}`, `@node-llama-cpp/${platform}@${version}`];
  const flags = [
    '--omit=optional',
    '--ignore-scripts',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
  ];
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await promisify(execFile)(npm, ['install', '--prefix', HERE, ...flags, ...wanted], {
      cwd: HERE,
      timeout: INSTALL_TIME,
    });
  } catch (error) {
    throw new Error(
      `node-llama-cpp is not installed, and could not be: ${String(error.message).slice(0, 300)}`,
    );
  }
  const installed = find(platform);
  if (!installed) throw new Error(`node-llama-cpp has no binary for ${platform}`);
  return installed;
}

function find(platform) {
  const place = PLACES.find((folder) =>
    [join(folder, 'node-llama-cpp'), join(folder, '@node-llama-cpp', platform)].every(existsSync),
  );
  return place && join(place, 'node-llama-cpp');
}
