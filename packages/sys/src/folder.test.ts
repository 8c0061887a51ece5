import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ToolError } from '@dragoman/core/agent';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './folder.js';
import { listFiles } from './list-files.js';
import { readFile } from './read-file.js';
import { findTarget, writeFile } from './write-file.js';

// outer/secret.txt, outer/work (the folder), outer/workshop (a neighbour that begins with the same letters)
const outer = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-folder-')));
afterAll(() => rmSync(outer, { recursive: true, force: true }));
const root = join(outer, 'work');
for (const name of ['work', 'work/sub', 'workshop']) mkdirSync(join(outer, name));
writeFileSync(join(outer, 'secret.txt'), 'secret');
writeFileSync(join(outer, 'workshop', 'secret.txt'), 'secret');
writeFileSync(join(root, 'a.txt'), 'inside');
writeFileSync(join(root, 'sub', 'b.txt'), 'below');
const link = (target: string, name: string) => symlinkSync(target, join(root, name));
link('../secret.txt', 'out-file');
link(outer, 'out-folder');
link('/nonexistent/nowhere', 'dangling');
link('missing-inside', 'dangling-inside');
link('loop', 'loop');
link('a.txt', 'in-file');
link('sub', 'in-folder');
link('out-folder', 'two-steps');
link('/proc/self/environ', 'environ');
link('/dev/zero', 'zero');
symlinkSync(root, join(outer, 'alias'));
execFileSync('mkfifo', [join(root, 'fifo')]);

const folder = Folder.at(root);
const signal = new AbortController().signal;
const read = (path: string, at = folder) =>
  readFile(at, path, { offset: 1, limit: 1000, length: 1000, signal });
const write = async (path: string, at = folder) => writeFile(at, await findTarget(at, path), 'written');
const list = (path: string) => listFiles(folder, path, { recursive: false, entries: 100, signal });

const outside = [
  '..',
  '../secret.txt',
  '../workshop/secret.txt',
  'sub/../../secret.txt',
  '/etc/passwd',
  '/proc/self/environ',
  '/dev/zero',
  '/',
  join(outer, 'secret.txt'),
  join(outer, 'workshop'),
  'out-file',
  'out-file/x',
  'out-folder',
  'out-folder/secret.txt',
  'out-folder/not-there.txt',
  'out-folder/not/there.txt',
  'two-steps/secret.txt',
  'dangling',
  'dangling/x.txt',
  'dangling-inside',
  'environ',
  'zero',
];

describe('a path that leads out', () => {
  it.each(outside)('%s is refused to be read, written and listed, all in the same words', async (path) => {
    for (const use of [read, write, list]) {
      await expect(use(path)).rejects.toThrow(ToolError);
      // Also whether something is there outside is not told.
      await expect(use(path)).rejects.toThrow('leads out of the working folder');
    }
  });

  it('left nothing outside', () => {
    expect(readFileSync(join(outer, 'secret.txt'), 'utf8')).toBe('secret');
    expect(readdirSync(outer).sort()).toEqual(['alias', 'secret.txt', 'work', 'workshop']);
    expect(readdirSync(join(outer, 'workshop'))).toEqual(['secret.txt']);
  });

  it.each([
    ['a\0.txt', 'NUL'],
    ['a\ud800', 'half a pair'],
    ['loop', 'symbolic link'],
    ['x'.repeat(5000), 'too long'],
    ['a.txt/b', 'a.txt/b'],
  ])('%j is refused', async (path, part) => {
    for (const use of [read, write]) {
      await expect(use(path)).rejects.toThrow(ToolError);
      await expect(use(path)).rejects.toThrow(part);
    }
  });
});

describe('a path inside', () => {
  it.each([
    ['a.txt', 'inside'],
    ['./sub/../a.txt', 'inside'],
    ['in-file', 'inside'],
    ['in-folder/b.txt', 'below'],
    ['out-folder/../a.txt', 'inside'],
    [join(root, 'a.txt'), 'inside'],
  ])('%s is read', async (path, text) => {
    expect(await read(path)).toBe(text);
  });

  it('may be absolute by the name the folder was given, which may be a link', async () => {
    const alias = Folder.at(join(outer, 'alias'));
    expect(await read(join(outer, 'alias', 'a.txt'), alias)).toBe('inside');
    expect(await read(join(root, 'a.txt'), alias)).toBe('inside');
    await expect(read(join(outer, 'secret.txt'), alias)).rejects.toThrow('leads out');
  });

  it('that is not there is said to be so', async () => {
    await expect(read('no/such.txt')).rejects.toThrow('There is no no/such.txt.');
    await expect(list('nothing')).rejects.toThrow('There is no nothing.');
  });
});

describe('what is no file', () => {
  it('is refused at once: a pipe without a writer, a socket, a folder', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    for (const path of ['fifo', 'socket']) {
      await expect(read(path)).rejects.toThrow('not a regular file');
      await expect(write(path)).rejects.toThrow('not a regular file');
    }
    await new Promise((resolve) => server.close(resolve));
    await expect(read('sub')).rejects.toThrow('is a folder');
    await expect(write('sub')).rejects.toThrow('is a folder');
    await expect(write('sub/')).rejects.toThrow('a file name is needed');
    await expect(list('a.txt')).rejects.toThrow('is no folder');
  });

  it('is refused when the whole machine is the folder: devices and what the kernel makes up', async () => {
    const machine = Folder.at('/');
    for (const path of ['dev/zero', 'proc/self/environ', '/sys/kernel', join(root, 'environ')]) {
      await expect(read(path, machine)).rejects.toThrow('refused');
    }
    expect(await read(join(root, 'a.txt'), machine)).toBe('inside');
  });
});

// Linux tells where an open file is; elsewhere its path is asked for once more.
describe.each([
  ['told by the descriptor', process.platform],
  ['told by the path', 'darwin'],
] as const)('a link set between the look and the opening, %s', (_, platform) => {
  const watched = Folder.at(root, platform);
  const put = (name: string, target: string) => {
    rmSync(join(root, name), { recursive: true });
    symlinkSync(target, join(root, name));
  };

  it('is not followed to a file', async () => {
    writeFileSync(join(root, 'swap.txt'), 'inside');
    const place = await watched.findExisting('swap.txt');
    put('swap.txt', '../secret.txt');
    await expect(watched.openFile(place)).rejects.toThrow(ToolError);
    rmSync(join(root, 'swap.txt'));
  });

  it('in the place of a folder on the way is seen after opening', async () => {
    mkdirSync(join(root, 'swap'));
    writeFileSync(join(root, 'swap', 'secret.txt'), 'inside');
    const place = await watched.findExisting('swap/secret.txt');
    const targets = await Promise.all(
      ['swap/new.txt', 'swap/far/new.txt'].map((path) => findTarget(watched, path)),
    );
    put('swap', join(outer, 'workshop'));
    await expect(watched.openFile(place)).rejects.toThrow('leads out');
    for (const target of targets) await expect(writeFile(watched, target, 'x')).rejects.toThrow(ToolError);
    expect(readdirSync(join(outer, 'workshop'))).toEqual(['secret.txt']);
    rmSync(join(root, 'swap'));
  });

  it('is the only thing that is refused: files are read, written and listed', async () => {
    expect(await read('in-folder/b.txt', watched)).toBe('below');
    expect(await write('fresh/deep/w.txt', watched)).toBe(7);
    expect(await listFiles(watched, 'fresh', { recursive: true, entries: 9, signal })).toBe(
      'deep/\ndeep/w.txt',
    );
    rmSync(join(root, 'fresh'), { recursive: true });
  });
});
