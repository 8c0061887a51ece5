// Installs the packages as `npm pack` makes them into an empty project.
//
// There may be no registry here, so the tarballs are unpacked as npm would, and only the packages that their manifests name
// as dependencies are linked beside them.

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { published } from './packages.js';
import { root } from './sources.js';

export interface Tarball {
  name: string;
  filename: string;
  /** Bytes, packed. */
  size: number;
  files: { path: string }[];
}

/** Of one run of the tests, whose files are run by threads of one process; remove-tarballs.mjs removes it at the end. */
const packed = join(tmpdir(), `dragoman-tarballs-${process.pid}`);

/** Packs all packages, once for all files of tests that ask. */
export function packAll(): Tarball[] {
  if (!existsSync(packed)) {
    const folder = mkdtempSync(`${packed}-`);
    const folders = published.map(({ folder }) => `./packages/${folder}`);
    const shell = process.platform === 'win32';
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...folders];
    const options = { cwd: root, encoding: 'utf8', shell, maxBuffer: 1 << 26 } as const;
    const told = execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    writeFileSync(join(folder, 'packed.json'), told);
    try {
      renameSync(folder, packed);
    } catch {
      // Another thread was faster.
      rmSync(folder, { recursive: true });
    }
  }
  return JSON.parse(readFileSync(join(packed, 'packed.json'), 'utf8'));
}

/** The files that `npm install` takes. */
export function tarballPaths(): string[] {
  return packAll().map(({ filename }) => join(packed, filename));
}

export function installTarballs(project: string): void {
  const modules = join(project, 'node_modules');
  for (const { name, filename } of packAll()) unpack(join(modules, name), join(packed, filename));
  for (const { manifest } of published) {
    for (const name of Object.keys((manifest.dependencies ?? {}) as object))
      link(modules, name, manifest.name);
  }
  // The compiler and the types of Node are the project's own.
  for (const name of ['typescript', '@types/node']) link(modules, name, '');
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }\n');
}

function unpack(folder: string, tarball: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

/** A dependency of a package, from where the clone has it for that package. */
function link(modules: string, name: string, of: string): void {
  if (existsSync(join(modules, name))) return;
  const folder = published.find(({ manifest }) => manifest.name === of)?.folder;
  const nested = join(root, 'packages', folder ?? '', 'node_modules', name);
  const found = folder !== undefined && existsSync(nested) ? nested : join(root, 'node_modules', name);
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(found, join(modules, name));
}
