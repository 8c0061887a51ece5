import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingRepositories, otherVersions, publishOrder, setVersion } from '../release.mjs';
import { published } from './packages.js';
import { root } from './sources.js';

/** The gateway's. */
const { parse } = createRequire(`${root}packages/gateway/package.json`)('yaml');

const copy = mkdtempSync(join(tmpdir(), 'dragoman-release-'));
afterAll(() => rmSync(copy, { recursive: true }));

interface Job {
  container?: string;
  needs?: string;
  steps: { run?: string; uses?: string }[];
}

const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

describe('a release', () => {
  it('finds the same version everywhere', () => {
    expect(otherVersions(root, version)).toEqual([]);
    expect(otherVersions(root, '9.9.9').length).toBeGreaterThan(published.length);
  });

  it('sets it in manifests, dependencies, lock file, Python client and changelog', () => {
    const packages = readdirSync(`${root}packages`).map((name) => `packages/${name}/package.json`);
    const files = [
      'package.json',
      'package-lock.json',
      'CHANGELOG.md',
      'clients/python/pyproject.toml',
      'bench/package.json',
      ...packages,
    ];
    for (const file of files)
      if (existsSync(root + file)) cpSync(root + file, join(copy, file), { recursive: true });
    setVersion(copy, '9.9.9', '2030-01-02');
    expect(otherVersions(copy, '9.9.9')).toEqual([]);
    const read = (file: string) => readFileSync(join(copy, file), 'utf8');
    expect(JSON.parse(read('packages/cli/package.json')).dependencies['@dragoman/core']).toBe('9.9.9');
    // Of any kind, in any workspace: npm would look for the old version elsewhere, and find none.
    const left = files.filter((file) => new RegExp(`"@?dragoman[^"]*": "${version}"`).test(read(file)));
    expect(left).toEqual([]);
    const { packages: locked } = JSON.parse(read('package-lock.json'));
    expect(locked['packages/gateway']).toMatchObject({
      version: '9.9.9',
      dependencies: { '@dragoman/core': '9.9.9' },
    });
    expect(locked['node_modules/zod'].version).not.toBe('9.9.9');
    expect(read('CHANGELOG.md')).toMatch(/^## Unreleased\n\n## 9\.9\.9, 2030-01-02\n/m);
  });

  it('publishes each package behind those that it needs, and no private one', () => {
    const order = publishOrder(root);
    expect(order.toSorted()).toEqual(published.map(({ folder }) => `packages/${folder}`).toSorted());
    expect(order[0]).toBe('packages/core');
    expect(order.at(-1)).toBe('packages/cli');
  });
});

describe('node release.mjs --publish', () => {
  const clone = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-publish-')));
  const programs = join(clone, 'programs');
  const folders = publishOrder(root);
  const manifests = ['package.json', ...folders.map((folder) => `${folder}/package.json`)];
  const url = 'git+https://example.com/dragoman.git';
  afterAll(() => rmSync(clone, { recursive: true }));

  /** A copy in which every manifest, or none, names the repository. */
  function copyWith(repository: (folder: string) => object | undefined) {
    for (const path of [...manifests, 'bench/package.json', 'release.mjs'])
      cpSync(root + path, join(clone, path), { recursive: true });
    for (const path of manifests) {
      const { repository: _, ...manifest } = JSON.parse(readFileSync(root + path, 'utf8'));
      const own = { ...manifest, repository: repository(path.replace(/\/?package\.json$/, '')) };
      writeFileSync(join(clone, path), JSON.stringify(own));
    }
  }

  /**
   * In place of npm, a script that notes where it was called to publish, and how. `published`: the packages that it has,
   * the others are E404; or what it says instead of that.
   */
  function publish(published: readonly string[] = [], missing = 'npm error code E404') {
    mkdirSync(programs, { recursive: true });
    const called = join(clone, 'called');
    rmSync(called, { force: true });
    const has = published.map((name) => `${name}@${version}`).join(' ');
    const script = `#!/bin/sh
if [ "$1" != view ]; then echo "$PWD: $*" >> '${called}'; exit; fi
case ' ${has} ' in *" $2 "*) echo '${version}' ;; *) echo '${missing}' >&2; exit 1 ;; esac
`;
    writeFileSync(join(programs, 'npm'), script, { mode: 0o755 });
    const { status, stderr } = spawnSync(process.execPath, [join(clone, 'release.mjs'), '--publish'], {
      env: { ...process.env, PATH: programs },
      encoding: 'utf8',
    });
    const calls = existsSync(called) ? readFileSync(called, 'utf8').trimEnd().split('\n') : [];
    return { status, stderr, calls };
  }

  it('refuses while a package names no repository, and publishes none', () => {
    copyWith(() => undefined);
    const { status, stderr, calls } = publish();
    expect([status, calls]).toEqual([1, []]);
    for (const path of manifests) expect(stderr).toContain(`${path} names no repository`);
    expect(stderr).toContain('CONTRIBUTING.md');
  });

  it('finds one that names none, another repository, or another folder', () => {
    const [first = '', second = '', third = ''] = folders;
    copyWith((folder) => {
      if (folder === first) return undefined;
      if (folder === second) return { type: 'git', url: 'git+https://example.com/fork.git' };
      return { type: 'git', url, directory: folder === third ? 'packages/other' : folder };
    });
    expect(missingRepositories(clone)).toEqual([
      `${first}/package.json names no repository`,
      `${second}/package.json names the repository git+https://example.com/fork.git, not ${url}`,
      `${third}/package.json: repository.directory is packages/other, not ${third}`,
    ]);
  });

  // npm is a script of another kind on Windows, and releases are made on Linux.
  describe.skipIf(process.platform === 'win32')('with repositories', () => {
    const expected = folders.map((folder) => `${join(clone, folder)}: publish --provenance --access public`);
    const nameOf = (folder: string) => JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8')).name;
    beforeAll(() =>
      copyWith((folder) => ({ type: 'git', url, ...(folder !== '' && { directory: folder }) })),
    );

    it('publishes all in order, with provenance', () => {
      expect(publish()).toMatchObject({ status: 0, calls: expected });
    });

    it('goes on where an earlier run ended', () => {
      const done = folders.slice(0, 3).map(nameOf);
      expect(publish(done)).toMatchObject({ status: 0, calls: expected.slice(3) });
      expect(publish(folders.map(nameOf))).toMatchObject({ status: 0, calls: [] });
    });

    it('publishes nothing where npm cannot tell what it has', () => {
      const { status, stderr, calls } = publish([], 'npm error code ENOTFOUND');
      expect([status, calls]).toEqual([1, []]);
      expect(stderr).toContain('ENOTFOUND');
    });
  });
});

describe('the files for the forge', () => {
  const folder = join(root, '.github');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yml'),
  );

  it.each(files)('%s is YAML', (name) => {
    expect(parse(readFileSync(join(folder, name), 'utf8'))).toBeTypeOf('object');
  });

  it('run .ci/run on each Node that is supported, and the tests of every system', () => {
    const { jobs } = parse(readFileSync(join(folder, 'workflows/ci.yml'), 'utf8'));
    expect(jobs.all.strategy.matrix.node).toEqual([20, 22, 24]);
    expect(jobs.all.steps.at(-1).run).toBe('.ci/run');
    expect(jobs.all.container).toContain('matrix.node');
    expect(jobs.quick.strategy.matrix.os).toEqual(['macos-latest', 'windows-latest']);
  });

  const stepsOf = (job: Job) => job.steps.map(({ run, uses }) => run ?? uses ?? '');
  const workflows = files.filter((name) => name.startsWith('workflows'));
  const jobs = workflows.flatMap((name) => {
    const workflow: { jobs: Record<string, Job> } = parse(readFileSync(join(folder, name), 'utf8'));
    return Object.entries(workflow.jobs).map(([key, job]) => ({ name: `${basename(name)}: ${key}`, job }));
  });
  const wholeTests = /\.ci\/run|test:long|npm run soak|npm test\b/;
  const testing = jobs.filter(({ job }) => stepsOf(job).some((step) => wholeTests.test(step)));

  it('run all tests in three jobs', () => {
    expect(testing.map(({ name }) => name).toSorted()).toEqual([
      'ci.yml: all',
      'nightly.yml: long',
      'release.yml: test',
    ]);
  });

  // debian.mjs installs programs as root alone, and in CI a missing one fails the run.
  it.each(testing)('are root on Debian in $name', ({ job }) => {
    expect(job.container).toMatch(/^node:[^:]+-bookworm$/);
    const steps = stepsOf(job);
    expect(steps.filter((step) => /\bsudo\b|setup-node/.test(step))).toEqual([]);
    // The checkout belongs to another user than root, and git would refuse it.
    const trusted = steps.indexOf('git config --global --add safe.directory "$GITHUB_WORKSPACE"');
    expect(trusted).toBeGreaterThan(0);
    expect(trusted).toBeLessThan(steps.findIndex((step) => wholeTests.test(step)));
  });

  it('install Redis and PostgreSQL every night before the tests and the soak', () => {
    const { job } = testing.find(({ name }) => name.startsWith('nightly')) ?? {};
    const steps = job ? stepsOf(job) : [];
    const installs = steps.findIndex((step) => /apt-get install .*redis-server postgresql/.test(step));
    expect(installs).toBeGreaterThan(0);
    expect(installs).toBeLessThan(steps.findIndex((step) => wholeTests.test(step)));
  });

  it('build all that is published before they publish anything, after the tests', () => {
    const { jobs } = parse(readFileSync(join(folder, 'workflows/release.yml'), 'utf8'));
    expect(jobs.publish.needs).toBe('test');
    const steps = stepsOf(jobs.publish);
    const order = [
      'npm ci',
      'npm run build',
      'release.mjs --check',
      'bundle.mjs',
      './clients/python',
      'release.mjs --publish',
      'pypi-publish',
      'gh release create',
    ].map((words) => steps.findIndex((step) => step.includes(words)));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order[0]).toBeGreaterThan(0);
  });

  it('ask for the raw text and the dialect of an output that was misread', () => {
    const { body } = parse(readFileSync(join(folder, 'ISSUE_TEMPLATE/misread-output.yml'), 'utf8'));
    const required = body.filter(
      (field: { validations?: { required?: boolean } }) => field.validations?.required,
    );
    expect(required.map(({ id }: { id: string }) => id)).toEqual(['text', 'dialect', 'expected', 'version']);
  });
});
