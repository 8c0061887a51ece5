// A folder in which not all files are as they should be. The command runs as it is built.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dragoman-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

function convert(...argv: string[]) {
  const words = [bin, 'convert', ...argv];
  return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
}

const row = '{"messages":[{"role":"user","content":"Hi."}]}\n';
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

it('One damaged file does not stop a folder: the others are converted, it is named, and --resume does the rest', () => {
  mkdirSync(join(folder, 'in'));
  const packed = gzipSync(row.repeat(2000));
  writeFileSync(join(folder, 'in/a-empty.jsonl'), '');
  writeFileSync(join(folder, 'in/b-cut.jsonl.gz'), packed.subarray(0, packed.length - 20));
  writeFileSync(join(folder, 'in/c.jsonl'), row);
  writeFileSync(join(folder, 'in/d.parquet'), 'PAR1 and no more');
  writeFileSync(join(folder, 'in/e-no-break.jsonl'), row + row.trimEnd());

  const first = convert('in', '--to', 'anthropic', '-o', 'out', '--as', 'jsonl');
  expect(first.status).toBe(3);
  expect(first.stderr).toContain('rows are read as openai, as the first rows of in/c.jsonl look');
  expect(first.stderr).toContain('2 of 5 files could not be converted');
  expect(first.stderr).toMatch(/in\/b-cut\.jsonl\.gz is damaged or cut off/);
  expect(first.stderr).toMatch(/in\/d\.parquet/);
  expect(first.stderr).toContain('--resume converts what is missing');
  expect([read('out/a-empty.jsonl'), read('out/c.jsonl')]).toEqual(['', row]);
  expect(read('out/e-no-break.jsonl')).toBe(row + row);
  expect(existsSync(join(folder, 'out/b-cut.jsonl'))).toBe(false);

  writeFileSync(join(folder, 'in/b-cut.jsonl.gz'), packed);
  rmSync(join(folder, 'in/d.parquet'));
  const second = convert(
    'in',
    '--from',
    'openai',
    '--to',
    'anthropic',
    '-o',
    'out',
    '--as',
    'jsonl',
    '--resume',
  );
  expect([second.status, second.stderr]).toEqual([0, expect.stringContaining('2,003 rows converted')]);
  expect(read('out/b-cut.jsonl')).toBe(row.repeat(2000));
  expect(readdirSync(join(folder, 'out')).filter((name) => /partial|journal/.test(name))).toEqual([]);
});
