import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@dragoman/core/agent';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './folder.js';
import { readFile } from './read-file.js';

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

describe('a path that leads out', () => {
  it('is never read, whatever it is made of', async () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '',
      '/',
      'sub',
      'out-folder',
      'in-folder',
      'secret.txt',
      'work',
      outer,
      '~',
    );
    const paths = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('/'));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        const text = await read(path).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ToolError);
          refused++;
          return '';
        });
        expect(text).not.toBe('secret');
      }),
      { seed: 3, numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(100);
  });
});
