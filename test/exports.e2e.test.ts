import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { entrySources, published } from './packages.js';
import { root } from './sources.js';

// These tests look at what the build wrote, as a program that installed the packages would find it.

/**
 * What a program in the folder of the command gets when it imports these: the names, by Node's own rules. All in one
 * process; entries.e2e.test.ts imports each alone.
 */
function importedNames(specifiers: readonly string[]): Map<string, string[]> {
  const program = `const names = [];
for (const one of ${JSON.stringify(specifiers)}) names.push([one, Object.keys(await import(one))]);
console.log(JSON.stringify(names));`;
  const options = { cwd: `${root}packages/cli`, encoding: 'utf8', input: program } as const;
  return new Map(JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-'], options)));
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
  const entries = Object.keys(entrySources());
  let names: Map<string, string[]>;
  beforeAll(() => {
    names = importedNames(entries);
  });

  it('the main entry of core has what programs need, and nothing else', () => {
    expect(names.get('@dragoman/core')?.sort()).toEqual([
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

  it.each(entries)('%s loads and gives something', (specifier) => {
    expect(names.get(specifier)?.length).toBeGreaterThan(0);
  });
});
