import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
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
