import { existsSync, readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { entrySources, published } from './packages.js';
import { root } from './sources.js';

const readJson = (path: string) => ts.readConfigFile(root + path, ts.sys.readFile).config;

describe('the entries of the packages', () => {
  it('have a source each', () => {
    const missing = Object.values(entrySources()).filter((source) => !existsSync(root + source));
    expect(missing).toEqual([]);
  });

  it('lead the type check to those sources, as they lead the tests (tsconfig.json, paths)', () => {
    const paths = Object.entries(entrySources()).map(([entry, source]) => [entry, [`./${source}`]]);
    expect(readJson('tsconfig.json').compilerOptions.paths).toEqual(Object.fromEntries(paths));
  });
});

describe('npm start', () => {
  it('builds by a script of ours, which says what it does, without npm and its warnings', () => {
    const { start, build } = readJson('package.json').scripts;
    expect(start).toMatch(/^node build\.mjs --to-start && node packages\/cli\/dist\/main\.js serve --demo/);
    expect(build).toBe('node build.mjs');
  });
});

describe.each(published)('the package $manifest.name', ({ folder, manifest }) => {
  const read = (name: string) => readFileSync(`${root}packages/${folder}/${name}`, 'utf8');

  it('says what it is, in package.json and in a README of its own', () => {
    expect(manifest.description).toMatch(/\.$/);
    expect(manifest.license).toBe('MIT');
    expect((manifest.keywords as string[]).length).toBeGreaterThan(3);
    const readme = read('README.md');
    expect(readme.startsWith(`# ${manifest.name}\n`)).toBe(true);
    expect(readme).toMatch(new RegExp(`^npm install (--global )?${manifest.name}$`, 'm'));
  });

  it('carries the licence of the repository', () => {
    expect(read('LICENSE')).toBe(readFileSync(`${root}LICENSE`, 'utf8'));
  });

  it('names the repository as the root does, with its own folder', () => {
    const { repository } = readJson('package.json');
    const own = repository && { ...repository, directory: `packages/${folder}` };
    expect(manifest.repository).toEqual(own);
  });
});

describe('the Dockerfile', () => {
  const lines = readFileSync(`${root}Dockerfile`, 'utf8').split('\n');
  const manifests = readdirSync(`${root}packages`).filter((name) =>
    existsSync(`${root}packages/${name}/package.json`),
  );

  it('copies the manifest of every workspace, which the lock file names', () => {
    const copied = manifests.filter((name) =>
      lines.includes(`COPY packages/${name}/package.json packages/${name}/`),
    );
    expect(copied).toEqual(manifests);
  });

  it('copies the build of every package that the command loads', () => {
    const wanted = published.map(
      ({ folder }) => `COPY --from=build /build/packages/${folder}/dist packages/${folder}/dist`,
    );
    expect(wanted.filter((line) => !lines.includes(line))).toEqual([]);
  });
});

interface LockEntry {
  link?: true;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: true;
  optional?: true;
  os?: string[];
  cpu?: string[];
}

describe('package-lock.json', () => {
  const entries: [string, LockEntry][] = Object.entries(readJson('package-lock.json').packages);
  const installed = entries.filter(([path, { link }]) => path.includes('node_modules/') && !link);

  // Registries that do not carry the builds for other systems give no integrity for them: see CONTRIBUTING.md.
  it('has the integrity of every package but optional builds for other systems', () => {
    const bare = installed.filter(([, { integrity }]) => integrity === undefined);
    const wrong = bare.filter(([, { optional, os, cpu }]) => !optional || !(os || cpu));
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  it('has no install script that package.json does not allow or deny: npm 11 warns of each', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
    expect(Object.keys(readJson('package.json').allowScripts)).toEqual([...new Set(names)].sort());
  });

  it('names no registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
