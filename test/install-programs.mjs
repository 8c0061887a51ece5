// Before the first end-to-end test: whatever the tests will want and do not find is installed at once, where
// installs.mjs allows it. Each test can do so for itself, but on a new machine they would wait for one another, each
// with a limit of its own. What fails here is tried and reported there.

import { find, findOrInstall, installTogether, postgresFolders } from './debian.mjs';
import { mayInstall } from './installs.mjs';
import { findLlama } from './llama/find-llama.mjs';

/** Milliseconds for each: a browser is large. */
const TIME = 300_000;

/** Programs, with the packages that bring them. */
const PROGRAMS = {
  'chromium-headless-shell': 'chromium-headless-shell',
  'redis-server': 'redis-server',
  postgres: 'postgresql',
  tmux: 'tmux',
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
};

export async function setup() {
  if (!mayInstall) return;
  await Promise.all([installDebian(), findLlama().catch((error) => console.warn(error.message))]);
}

async function installDebian() {
  if (process.getuid?.() !== 0 || find('apt-get') === undefined) return;
  const wanted = () => Object.entries(PROGRAMS).filter(([program]) => !isThere(program));
  const missing = wanted().map(([, debianPackage]) => debianPackage);
  if (missing.length === 0) return;
  await installTogether(missing, TIME).catch((error) => console.warn(error.message));
  // One that this Debian does not have keeps the others out.
  for (const [program, debianPackage] of wanted())
    await findOrInstall(program, debianPackage, postgresFolders, TIME).catch((error) =>
      console.warn(error.message),
    );
}

const isThere = (program) =>
  find(program, postgresFolders()) !== undefined ||
  (program.startsWith('chromium') && find('chromium') !== undefined);
