// The start of the README in a new clone: `npm install && npm start`, then its curl. How long it took is printed; a minute
// on a quiet machine is what we want. `npm install` needs a registry.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cloneFiles, npmEnvironment } from './clone-files.js';
import { root } from './sources.js';

const FIVE_MINUTES = 300_000;

const clone = mkdtempSync(join(tmpdir(), 'dragoman-first-start-'));
afterAll(() => rmSync(clone, { recursive: true }));

const readme = readFileSync(join(root, 'README.md'), 'utf8');

it('gives a tool call without a compiler', { timeout: FIVE_MINUTES }, async () => {
  expect(readme).toContain('npm install && npm start\n');
  for (const path of cloneFiles()) cpSync(join(root, path), join(clone, path));
  const began = performance.now();
  const env = npmEnvironment();
  execFileSync('npm', ['install'], { cwd: clone, env, stdio: 'pipe' });
  const installed = performance.now();
  // npm gives signals on to the shell only: a process group ends as a whole.
  const start = spawn('npm', ['start', '--', '--port', '0'], { cwd: clone, env, detached: true });
  try {
    let shown = '';
    start.stdout.setEncoding('utf8');
    while (!shown.includes('Stop with Ctrl-C')) shown += (await once(start.stdout, 'data'))[0];
    const url = /http:\/\/127[^\s]+/.exec(shown)?.[0] ?? '';
    const [, body = ''] = /\/v1\/chat\/completions -d '(\{.*?\})'\n/s.exec(readme) ?? [];
    const answer = await fetch(new URL('/v1/chat/completions', url), { method: 'POST', body });
    const told = await answer.text();
    const seconds = (from: number) => Math.round((performance.now() - from) / 1000);
    console.info(`first answer after ${seconds(began)} s, ${seconds(installed)} s of them after npm install`);
    expect(JSON.parse(told).choices[0].message.tool_calls[0].function.name).toBe('get_weather');
    expect(shown).toContain('Preparing the packages (1 of 3)');
    expect(existsSync(join(clone, 'packages/cli/dist/main.d.ts'))).toBe(false);
  } finally {
    if (start.pid !== undefined) process.kill(-start.pid, 'SIGTERM');
    await once(start, 'close');
  }
});
