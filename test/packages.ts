// The packages of the repository, as their package.json say: what is published, and where the source of each entry is.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  name: string;
  private?: boolean;
  exports?: Record<string, string | Record<string, string>>;
  bin?: Record<string, string>;
  [field: string]: unknown;
}

interface Package {
  /** Its name under packages/. */
  folder: string;
  manifest: Manifest;
}

const packages: Package[] = readdirSync(`${root}packages`)
  .filter((folder) => existsSync(`${root}packages/${folder}/package.json`))
  .map((folder) => ({ folder, manifest: manifestOf(folder) }));

export const published = packages.filter(({ manifest }) => !manifest.private);

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(`${root}packages/${folder}/package.json`, 'utf8'));
}

/** The source of every entry, from the root: { '@dragoman/core/wire': 'packages/core/src/wire/index.ts', … }. */
export function entrySources(): Record<string, string> {
  return Object.fromEntries(packages.flatMap(sourcesOf));
}

function sourcesOf({ folder, manifest }: Package): [specifier: string, source: string][] {
  return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    const [, built] = /^\.\/dist\/(.*)\.js$/.exec(defaultOf(target)) ?? [];
    if (built === undefined) return [];
    return [[manifest.name + path.slice(1), `packages/${folder}/src/${built}.ts`]];
  });
}

function defaultOf(target: string | Record<string, string>): string {
  return typeof target === 'string' ? target : (target.default ?? '');
}
