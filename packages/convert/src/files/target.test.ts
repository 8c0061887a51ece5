import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Source, STANDARD_INPUT } from './source.js';
import { isFolderName, type TargetOptions, toTargets } from './target.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-target-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = (name: string): Source => ({ ...STANDARD_INPUT, path: `in/${name}`, name });
const none: TargetOptions = { output: undefined, bad: undefined, as: undefined, shard: undefined };
const outputs = (names: string[], options: Partial<TargetOptions>) =>
  toTargets(names.map(source), { ...none, ...options }).map(({ output }) => output);

describe('an output', () => {
  it('is a folder if it is one, is written as one, or is not named like data', () => {
    const names = [folder, 'new/', 'new', 'new.jsonl', 'new.parquet', 'new.txt', '-', undefined];
    expect(names.map((name) => isFolderName(name))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('in a folder has the name of its input, as lines where it was a document or brotli', () => {
    const names = ['a.jsonl', 'b/c.jsonl.gz', 'd.json', 'e.jsonl.br', 'f.parquet', 'g.log', 'h.json.gz'];
    expect(outputs(names, { output: 'out/' })).toEqual([
      'out/a.jsonl',
      'out/b/c.jsonl.gz',
      'out/d.jsonl',
      'out/e.jsonl',
      'out/f.parquet',
      'out/g.log.jsonl',
      'out/h.jsonl.gz',
    ]);
    expect(outputs(names.slice(0, 2), { output: 'out/', as: 'parquet' })).toEqual([
      'out/a.parquet',
      'out/b/c.parquet',
    ]);
    expect(outputs(['a.jsonl.gz'], { output: 'out/', shard: { index: 2, count: 8 } })).toEqual([
      'out/a-00002-of-00008.jsonl.gz',
    ]);
  });

  it('takes all inputs where it is one file', () => {
    const [target] = toTargets(['a.jsonl', 'b.jsonl'].map(source), { ...none, output: 'all.jsonl.gz' });
    expect(target).toMatchObject({
      output: 'all.jsonl.gz',
      bad: 'all.jsonl.gz.bad.jsonl',
      compression: 'gzip',
    });
    expect(target?.sources.length).toBe(2);
  });

  it.each([
    [['a.json', 'a.jsonl'], { output: 'out/' }, 'would both be written to out/a.jsonl'],
    [['a.jsonl'], { output: 'in/' }, 'would be overwritten by its own conversion'],
    [['a.jsonl'], { output: '/dev/null' }, '/dev/null is no file'],
    [['a.jsonl'], { output: 'x.jsonl.br' }, 'brotli is read, but not written'],
    [['a.jsonl'], { as: 'parquet' }, 'Parquet goes to a file'],
  ])('of %j with %j is refused', (names, options, message) => {
    expect(() => outputs(names, options)).toThrow(message);
  });
});
