import { existsSync, readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { missingRepositories, publishOrder } from '../release.mjs';
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
});

describe('the versions of Node', () => {
  const enginesOf = (path: string) => readJson(`${path}package.json`).engines.node;

  // Where a tool has another range now, compare them again: package.json, README and CONTRIBUTING.md name the result.
  it('of the workspace are those that Vite, rolldown and Vitest have in common', () => {
    expect(enginesOf('node_modules/vite/')).toBe('^20.19.0 || >=22.12.0');
    expect(enginesOf('node_modules/rolldown/')).toBe('^20.19.0 || >=22.12.0');
    expect(enginesOf('node_modules/vitest/')).toBe('^20.0.0 || ^22.0.0 || >=24.0.0');
    expect(enginesOf('')).toBe('^20.19.0 || ^22.12.0 || >=24.0.0');
    expect(readJson('package-lock.json').packages[''].engines.node).toBe(enginesOf(''));
  });

  it('of every package are all from 20.19 on', () => {
    expect(published.map(({ manifest }) => manifest.engines)).toEqual(
      published.map(() => ({ node: '>=20.19' })),
    );
  });
});

describe('the repository', () => {
  const missing = missingRepositories(root);
  const notYet = 'No `package.json` names a repository yet';

  it('is named by every package.json or by none, and CONTRIBUTING.md tells which', () => {
    const text = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');
    const all = ['', ...publishOrder(root).map((folder) => `${folder}/`)];
    const none = all.map((folder) => `${folder}package.json names no repository`);
    expect(missing).toEqual(text.includes(notYet) ? none : []);
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

describe('an installation of the gateway, or of the command', () => {
  interface Installed {
    resolved?: string;
    link?: true;
    dependencies?: Record<string, string>;
    optionalDependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
    peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  }
  const lock: Record<string, Installed> = readJson('package-lock.json').packages;

  /** Where npm finds a dependency: beside the package that needs it, or in a folder above. */
  function placeOf(name: string, from: string): string | undefined {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (lock[place]) return lock[place].link ? lock[place].resolved : place;
      if (at === '') return undefined;
    }
  }

  /** What npm installs with a package, all its dependencies included; optional peers are not. */
  function installedWith(folder: string): string[] {
    const places = new Set([folder]);
    for (const place of places) {
      const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
        lock[place] ?? {};
      const peers = Object.keys(peerDependencies ?? {}).filter(
        (name) => !peerDependenciesMeta?.[name]?.optional,
      );
      for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
        const found = placeOf(name, place);
        if (found !== undefined) places.add(found);
      }
    }
    return [...places].map((place) => place.slice(place.lastIndexOf('node_modules/') + 1));
  }

  it.each(['packages/gateway', 'packages/cli'])('has no weights and no native engine: %s', (folder) => {
    const found = installedWith(folder);
    expect(found).toContain('packages/core');
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter((place) => /llama|packages\/tiny/.test(place))).toEqual([]);
  });

  it('of the tiny model brings little else', () => {
    expect(installedWith('packages/tiny').sort()).toEqual(
      expect.arrayContaining(['packages/core', 'packages/local', 'packages/tiny']),
    );
    expect(installedWith('packages/tiny').length).toBeLessThan(8);
  });
});

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
