import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './folder.js';
import { listFiles } from './list-files.js';

const root = fs.mkdtempSync(join(tmpdir(), 'dragoman-list-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
for (const path of ['b/deep/er', 'a', '.git/objects', 'node_modules/x', 'empty', 'many']) {
  fs.mkdirSync(join(root, path), { recursive: true });
}
for (const path of ['b.txt', 'B.txt', 'b/deep/er/f', 'b/z', 'a/one', 'node_modules/x/y', 'a/li\nne']) {
  fs.writeFileSync(join(root, path), '');
}
for (let number = 10; number < 60; number++) fs.writeFileSync(join(root, `many/${number}`), '');
fs.symlinkSync('..', join(root, 'b/up'));

const folder = Folder.at(root);
const signal = new AbortController().signal;
const list = async (path: string, recursive = false, entries = 100) =>
  (await listFiles(folder, path, { recursive, entries, signal })).split('\n');

describe('listing a folder', () => {
  it('names its entries in order, and marks folders', async () => {
    const names = ['.git/', 'B.txt', 'a/', 'b/', 'b.txt', 'empty/', 'many/', 'node_modules/'];
    expect(await list('.')).toEqual(names);
    expect(await list('')).toEqual(names);
    expect(await list('empty')).toEqual(['[The folder is empty.]']);
  });

  it('goes into its folders if asked to, but over no link', async () => {
    expect(await list('b', true)).toEqual(['deep/', 'deep/er/', 'deep/er/f', 'up (link)', 'z']);
  });

  it('goes into node_modules and .git only when they are meant', async () => {
    const all = await list('.', true);
    expect(all).toContain('node_modules/');
    expect(all).not.toContain('node_modules/x/');
    expect(await list('node_modules', true)).toEqual(['x/', 'x/y']);
  });

  it('shows a name with a line break as one entry', async () => {
    expect(await list('a')).toEqual(['li\\nne', 'one']);
  });

  it('is bounded, shallow entries first, and says so', async () => {
    const some = await list('.', true, 12);
    expect(some.at(-1)).toMatch(/^\[There are more; the first 12 are shown/);
    expect(some).toHaveLength(13);
    expect(some).toEqual(expect.arrayContaining(['.git/', 'node_modules/', 'a/one', 'b/deep/']));
    expect(some).not.toContain('b/deep/er/');
    expect(await list('many', false, 50)).toHaveLength(50);
    expect(await list('many', false, 3)).toEqual([
      '10',
      '11',
      '12',
      expect.stringContaining('There are more'),
    ]);
  });

  it('stops when it is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('stopped'));
    await expect(listFiles(folder, '.', { recursive: true, entries: 10, signal: aborted })).rejects.toThrow(
      'stopped',
    );
  });
});
