// The packages as npm installs them: `npm install` of the tarballs in an empty project, with an empty home and an empty
// cache, from the registry that npm has here; then `init`, `doctor`, `serve` and a call. How long it took is printed.
// Needs a build and a registry.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { npmEnvironment } from './clone-files.js';
import { walkFromInitToCall } from './first-walk.js';
import { published } from './packages.js';
import { tarballPaths } from './tarballs.js';

const project = mkdtempSync(join(tmpdir(), 'dragoman-npm-install-'));
afterAll(() => rmSync(project, { recursive: true }));

it('npm install of the tarballs gives a command that leads to a tool call', {
  timeout: 600_000,
}, async () => {
  const tarballs = tarballPaths();
  const home = join(project, 'home');
  mkdirSync(home);
  // A registry that this user has set is in a file of the home that is left behind.
  const get = ['config', 'get', 'registry'];
  const options = { cwd: project, env: npmEnvironment(), encoding: 'utf8', stdio: 'pipe' } as const;
  const npm_config_registry = execFileSync('npm', get, options).trim();
  const env = { ...options.env, HOME: home, npm_config_registry };
  const npm = (...argv: string[]) => execFileSync('npm', argv, { ...options, env });
  const seconds = (from: number) => Math.round((performance.now() - from) / 1000);
  const began = performance.now();

  npm('init', '--yes');
  npm('install', ...tarballs);
  const installed = seconds(began);
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies).toSorted()).toEqual(
    published.map(({ manifest }) => manifest.name).toSorted(),
  );
  expect(npm('exec', '--no', '--', 'dragoman', '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  await walkFromInitToCall(project);
  console.info(`installed after ${installed} s, a tool call after ${seconds(began)} s`);
});
