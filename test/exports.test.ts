import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageNames, root } from './sources.js';

// These tests look at what the build wrote, as a program that installed the packages would find it.

interface Manifest {
  name: string;
  private?: boolean;
  exports?: Record<string, string | { types: string; default: string }>;
  bin?: Record<string, string>;
}

const packages = packageNames()
  .map((folder) => {
    const manifest: Manifest = JSON.parse(readFileSync(`${root}packages/${folder}/package.json`, 'utf8'));
    return { folder, manifest };
  })
  .filter(({ manifest }) => !manifest.private);

/** What a program in the folder of the command gets when it imports the package: the names, by Node's own rules. */
function importedNames(specifier: string): string[] {
  const script = `console.log(JSON.stringify(Object.keys(await import('${specifier}'))))`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: `${root}packages/cli`, encoding: 'utf8' }));
}

describe.each(packages)('the package $manifest.name', ({ folder, manifest }) => {
  const exists = (path: string) => existsSync(`${root}packages/${folder}/${path}`);

  it.each(Object.entries(manifest.exports ?? {}))('has the files of its entry %s', (_, target) => {
    const paths = typeof target === 'string' ? [target] : [target.types, target.default];
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });

  it.each(Object.entries(manifest.bin ?? {}))('has the file of its command %s', (_, path) => {
    expect(exists(path)).toBe(true);
    expect(readFileSync(`${root}packages/${folder}/${path}`, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(exists('dist/main.js')).toBe(true);
  });
});

describe('what is imported from the build', () => {
  it('the main entry of core has the names people start with', () => {
    expect(importedNames('@dragoman/core')).toEqual(
      expect.arrayContaining([
        'dialects',
        'findDialect',
        'createParser',
        'parse',
        'renderPrompt',
        'renderMessages',
        'renderTemplate',
      ]),
    );
  });

  it.each([
    '@dragoman/core/template',
    '@dragoman/core/testing',
    '@dragoman/core/wire',
    '@dragoman/core/bridge',
    '@dragoman/core/agent',
    '@dragoman/core/convert',
    '@dragoman/core/fetch',
    '@dragoman/core/ai-sdk',
    '@dragoman/gateway',
    '@dragoman/gateway/app',
    '@dragoman/gateway/demo',
    '@dragoman/sys',
  ])('%s loads and gives something', (specifier) => {
    expect(importedNames(specifier).length).toBeGreaterThan(0);
  });
});
