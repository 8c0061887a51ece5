import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

// Vitest would strip the types itself, so this asks the built command. `npm run test:newest-clients` asks a newer Node.
it('a program in TypeScript is read by a Node that can, and else refused with what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-config-'));
  const path = join(folder, 'dragoman.config.ts');
  writeFileSync(path, 'const port: number = 1234;\nexport default { port };');
  const main = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'serve', '--check', '-c', path], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const reads = major > 22 || (major === 22 && minor >= 18);
  expect([status, stdout !== '']).toEqual([reads ? 0 : 3, reads]);
  if (!reads) expect(stderr).toContain('TypeScript needs Node 22.18 or later');
});
