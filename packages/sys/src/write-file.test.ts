import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './folder.js';
import { findTarget, writeFile } from './write-file.js';

const root = fs.mkdtempSync(join(tmpdir(), 'dragoman-write-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
const folder = Folder.at(root);
const at = (path: string) => join(root, path);
const write = async (path: string, text: string) => writeFile(folder, await findTarget(folder, path), text);
const textOf = (path: string) => fs.readFileSync(at(path), 'utf8');
const modeOf = (path: string) => fs.statSync(at(path)).mode & 0o777;

describe('writing a file', () => {
  it('makes it, and counts bytes', async () => {
    expect(await write('new.txt', 'é\r\n😀')).toBe(8);
    expect(textOf('new.txt')).toBe('é\r\n😀');
    expect(await write('empty', '')).toBe(0);
    expect(textOf('empty')).toBe('');
    expect(modeOf('new.txt')).toBe(0o666 & ~process.umask());
  });

  it('makes the folders on the way', async () => {
    await write('one/two/three.txt', '3');
    await write('one/two/four.txt', '4');
    expect(fs.readdirSync(at('one/two'))).toEqual(['four.txt', 'three.txt']);
  });

  it('replaces the old one at once, with its mode, and leaves nothing beside it', async () => {
    fs.mkdirSync(at('kept'));
    fs.writeFileSync(at('kept/run.sh'), 'old and longer');
    fs.chmodSync(at('kept/run.sh'), 0o751);
    const before = fs.openSync(at('kept/run.sh'), 'r');
    await write('kept/run.sh', 'new');
    expect(textOf('kept/run.sh')).toBe('new');
    expect(modeOf('kept/run.sh')).toBe(0o751);
    expect(fs.readFileSync(before, 'utf8')).toBe('old and longer');
    fs.closeSync(before);
    expect(fs.readdirSync(at('kept'))).toEqual(['run.sh']);
  });

  it('follows a link inside to its file, and the link stays', async () => {
    fs.writeFileSync(at('real.txt'), 'old');
    fs.symlinkSync('real.txt', at('link.txt'));
    await write('link.txt', 'new');
    expect(textOf('real.txt')).toBe('new');
    expect(fs.lstatSync(at('link.txt')).isSymbolicLink()).toBe(true);
  });

  it('does not write through a hard link', async () => {
    fs.writeFileSync(at('other-name.txt'), 'old');
    fs.linkSync(at('other-name.txt'), at('hard.txt'));
    await write('hard.txt', 'new');
    expect([textOf('hard.txt'), textOf('other-name.txt')]).toEqual(['new', 'old']);
  });

  it('leaves the old file and nothing else when it fails', async () => {
    fs.mkdirSync(at('failing'));
    fs.writeFileSync(at('failing/file'), 'old');
    const target = await findTarget(folder, 'failing/file');
    fs.rmSync(at('failing/file'));
    fs.mkdirSync(at('failing/file/now-a-folder'), { recursive: true });
    await expect(writeFile(folder, target, 'new')).rejects.toThrow('failing/file is a folder.');
    expect(fs.readdirSync(at('failing'))).toEqual(['file']);
  });

  it('many at once give one of them whole', async () => {
    const texts = Array.from({ length: 20 }, (_, number) => String(number).repeat(50_000));
    await Promise.all(texts.map((text) => write('busy/file', text)));
    expect(texts).toContain(textOf('busy/file'));
    expect(fs.readdirSync(at('busy'))).toEqual(['file']);
  });

  it.skipIf(process.getuid?.() === 0)('does not replace a file that is read-only', async () => {
    fs.writeFileSync(at('fixed'), 'old', { mode: 0o444 });
    await expect(write('fixed', 'new')).rejects.toThrow('permission denied');
    expect(textOf('fixed')).toBe('old');
  });
});
