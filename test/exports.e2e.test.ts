import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { entrySources, published } from './packages.js';
import { root } from './sources.js';

// These tests look at what the build wrote, as a program that installed the packages would find it.

/** What a program in the folder of the command gets when it imports the package: the names, by Node's own rules. */
function importedNames(specifier: string): string[] {
  return JSON.parse(run(`console.log(JSON.stringify(Object.keys(await import('${specifier}'))))`));
}

/** What a program prints. */
function run(program: string): string {
  const options = { cwd: `${root}packages/cli`, encoding: 'utf8', input: program } as const;
  return execFileSync(process.execPath, ['--input-type=module', '-'], options);
}

const commands = published.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.bin ?? {}).map(([name, path]) => [name, folder, path] as const),
);

it.each(commands)('the command %s of packages/%s has its file', (_, folder, path) => {
  const exists = (file: string) => existsSync(`${root}packages/${folder}/${file}`);
  expect(exists(path)).toBe(true);
  expect(readFileSync(`${root}packages/${folder}/${path}`, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(exists('dist/main.js')).toBe(true);
});

describe('what is imported from the build', () => {
  it('the main entry of core has what programs need, and nothing else', () => {
    expect(importedNames('@dragoman/core').sort()).toEqual([
      'ApiError',
      'DEFAULT_LIMITS',
      'ExactNumber',
      'GRAMMAR_FORMATS',
      'UsageError',
      'acceptConversation',
      'acceptTools',
      'all',
      'collect',
      'constrain',
      'createParser',
      'createRegistry',
      'defineDialect',
      'detect',
      'dialects',
      'findDialect',
      'fromResponseTemplate',
      'indentJson',
      'parse',
      'parseExact',
      'prepareTools',
      'readTurn',
      'renderMessages',
      'renderPrompt',
      'renderTemplate',
      'stringifyJson',
      'toPlain',
      'toResponseTemplate',
    ]);
  });

  it.each(Object.keys(entrySources()))('%s loads and gives something', (specifier) => {
    expect(importedNames(specifier).length).toBeGreaterThan(0);
  });
});
