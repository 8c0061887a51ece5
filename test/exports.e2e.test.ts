import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { entrySources, published } from './packages.js';
import { root } from './sources.js';

// These tests look at what the build wrote, as a program that installed the packages would find it.

/** What a program in the folder of the command gets when it imports the package: the names, by Node's own rules. */
function importedNames(specifier: string, ...flags: string[]): string[] {
  return JSON.parse(run(`console.log(JSON.stringify(Object.keys(await import('${specifier}'))))`, ...flags));
}

/** The program, bundled with what it imports, as bundlers for Node do. */
async function bundleForServer(program: string): Promise<string> {
  const name = `${root}packages/cli/app.mjs`;
  const build = await rolldown({
    input: name,
    platform: 'node',
    tsconfig: false,
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === name ? name : undefined),
        load: (id) => (id === name ? program : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  return output[0].code;
}

/** What a program prints. */
function run(program: string, ...flags: string[]): string {
  const options = { cwd: `${root}packages/cli`, encoding: 'utf8', input: program } as const;
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-'], options);
}

describe.each(published)('the package $manifest.name', ({ folder, manifest }) => {
  const exists = (path: string) => existsSync(`${root}packages/${folder}/${path}`);

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
        'detect',
        'defineDialect',
        'addDialect',
        'fromResponseTemplate',
        'constrain',
      ]),
    );
  });

  it('bundlers for browsers get the engine and the first ten dialects; all dialects are one import away', () => {
    const lean = importedNames('@dragoman/core', '--conditions=browser');
    expect(lean).toEqual(expect.arrayContaining(['dialects', 'findDialect', 'parse', 'renderMessages']));
    for (const name of ['detect', 'defineDialect', 'constrain']) expect(lean).not.toContain(name);
    const all = importedNames('@dragoman/core/dialects', '--conditions=browser');
    expect(all).toEqual(
      expect.arrayContaining(['dialects', 'detect', 'defineDialect', 'fromResponseTemplate']),
    );
  });

  it('a bundle for a server knows every dialect, though it imports only what finds one', async () => {
    const app = `import { findDialect } from '@dragoman/core'; console.log(findDialect('kimi-k2').name);`;
    expect(run(await bundleForServer(app)).trim()).toBe('kimi-k2');
  });

  it.each(Object.keys(entrySources()))('%s loads and gives something', (specifier) => {
    expect(importedNames(specifier).length).toBeGreaterThan(0);
  });
});
