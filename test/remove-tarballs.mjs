// After the last test: what tarballs.ts left for other files of the run.

import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function teardown() {
  rmSync(join(tmpdir(), `dragoman-tarballs-${process.pid}`), { recursive: true, force: true });
}
