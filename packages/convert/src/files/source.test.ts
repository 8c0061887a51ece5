import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openParquet } from './parquet/index.js';
import { checkUnchanged, findSources } from './source.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

const row = '{"messages":[{"role":"user","content":"Hi."}]}\n';

it('A file that changes while it is read is told: rows may be missing or twice', async () => {
  const path = join(folder, 'grows.jsonl');
  writeFileSync(path, row);
  const { sources } = await findSources([path]);
  await checkUnchanged(sources);
  appendFileSync(path, row);
  await expect(checkUnchanged(sources)).rejects.toThrow(
    `changed while it was read: it had ${row.length} bytes and has ${row.length * 2}`,
  );
});

it.each([
  ['empty.parquet', '', 'it is empty'],
  ['cut.PARQUET', 'PAR', 'expected at least 12 bytes, found 3'],
])('A Parquet file that was cut to nothing is a damaged one: %s', async (name, text, found) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  const { sources } = await findSources([path]);
  expect(sources).toMatchObject([{ kind: 'parquet' }]);
  await expect(openParquet(path)).rejects.toThrow(`${name} is no Parquet file that can be read: ${found}`);
});

it('An empty file of another name has no rows', async () => {
  const path = join(folder, 'empty.jsonl');
  writeFileSync(path, '');
  expect((await findSources([path])).sources).toMatchObject([{ kind: 'lines' }]);
});
