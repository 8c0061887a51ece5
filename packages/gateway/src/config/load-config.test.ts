import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configNames, findConfig, loadConfig } from './load-config.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('a configuration is found', () => {
  it('in a folder, YAML first', async () => {
    expect(await findConfig(folder)).toBeUndefined();
    for (const name of configNames.toReversed()) {
      const path = write(name, '');
      expect(await findConfig(folder)).toBe(path);
    }
  });

  it('by its name, whatever that is', async () => {
    const path = write('mine.yml', 'port: 1234');
    expect(await loadConfig(path, { env: {} })).toMatchObject({ ok: true, path, config: { port: 1234 } });
  });

  it('with the variables of the process', async () => {
    write('dragoman.config.json', `{ "hosts": ["\${DRAGOMAN_TEST_NONE:-a.example}"] }`);
    expect(await loadConfig(folder)).toMatchObject({ ok: true, config: { hosts: ['a.example'] } });
  });

  it('under flags', async () => {
    write('dragoman.config.yaml', 'port: 1');
    expect(await loadConfig(folder, { env: {}, flags: { port: 2 } })).toMatchObject({ config: { port: 2 } });
  });
});

describe('what cannot be loaded is a problem', () => {
  it('no file', async () => {
    const missing = await loadConfig(join(folder, 'none.yaml'));
    expect(missing).toMatchObject({ ok: false, problems: [{ message: 'there is no such file' }] });
    const empty = await loadConfig(folder);
    expect(empty).toMatchObject({
      ok: false,
      problems: [{ hint: expect.stringContaining('dragoman.config.yaml') }],
    });
  });

  it('another kind of file', async () => {
    const result = await loadConfig(write('a.toml', ''));
    expect(result).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining('.yaml') }] });
  });

  it('a file with faults, with its own name and lines', async () => {
    const path = write('dragoman.config.yaml', '\nprot: 1\n');
    const result = await loadConfig(folder, { env: {} });
    expect(result.ok ? [] : result.problems).toMatchObject([{ file: path, line: 2, column: 1 }]);
  });
});

describe('a program', () => {
  it('gives its default export, and again when it has changed', async () => {
    const path = write('dragoman.config.mjs', 'export default { port: 1000 + 1, models: ["a"] };');
    expect(await loadConfig(path, { env: {} })).toMatchObject({ ok: true, config: { port: 1001 } });
    write('dragoman.config.mjs', 'export default { port: 1002 };');
    expect(await loadConfig(path, { env: {} })).toMatchObject({ ok: true, config: { port: 1002 } });
  });

  it('is checked like a file, with no lines', async () => {
    write('dragoman.config.mjs', 'export default { prot: 1, log: () => 1 };');
    const result = await loadConfig(folder, { env: {} });
    expect(result.ok ? [] : result.problems).toMatchObject([{ path: 'log' }, { path: 'prot' }]);
  });

  it.each([
    ['no default', 'export const port = 1;', 'expected export default'],
    ['a throw', 'throw new Error("not today")', 'not today'],
    ['bad syntax', 'export default {', 'failed'],
    ['a circle', 'const a = {}; a.log = a; export default a;', 'holds itself'],
  ])('with %s is a problem', async (_, text, message) => {
    const result = await loadConfig(write('dragoman.config.mjs', text), { env: {} });
    expect(result).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining(message) }] });
  });
});
