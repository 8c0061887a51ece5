import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { otherVersions, publishOrder, setVersion } from '../release.mjs';
import { published } from './packages.js';
import { root } from './sources.js';

/** The gateway's. */
const { parse } = createRequire(`${root}packages/gateway/package.json`)('yaml');

const copy = mkdtempSync(join(tmpdir(), 'dragoman-release-'));
afterAll(() => rmSync(copy, { recursive: true }));

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
    expect(jobs.quick.strategy.matrix.os).toEqual(['macos-latest', 'windows-latest']);
  });

  it('publish the packages and the Python client, after the tests', () => {
    const { jobs } = parse(readFileSync(join(folder, 'workflows/release.yml'), 'utf8'));
    const steps = jobs.publish.steps.map(({ run, uses }: { run?: string; uses?: string }) => run ?? uses);
    const at = (words: string) => steps.findIndex((step: string) => step.includes(words));
    const order = ['.ci/run', 'test:long', '--check', '--publish', './clients/python', 'pypi-publish'].map(
      at,
    );
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
