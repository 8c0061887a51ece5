// From nothing to a tool call within two minutes: the tarballs in an empty folder, with an empty home and no clone; then
// `init`, `doctor`, `serve` and a call. test/npm-install.long.test.ts does it with npm and a registry.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { walkFromInitToCall } from './first-walk.js';
import { installTarballs } from './tarballs.js';

const TWO_MINUTES = 120_000;

const project = mkdtempSync(join(tmpdir(), 'dragoman-first-call-'));
afterAll(() => rmSync(project, { recursive: true }));

it(
  'takes less than two minutes with init, doctor and serve, from the tarballs',
  async () => {
    const start = performance.now();
    installTarballs(project);
    await walkFromInitToCall(project);
    expect(performance.now() - start).toBeLessThan(TWO_MINUTES);
  },
  2 * TWO_MINUTES,
);
