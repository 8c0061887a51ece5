// The start of the README in a new clone, with its own lines: `npm install && npm start`, then curl from another shell, its
// first example, and the command for everywhere. With the cache that npm has here, and with an empty one. How long it took
// is printed; a minute on a quiet machine is what we want. `npm install` needs a registry.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { cloneFiles, npmEnvironment } from './clone-files.js';
import { blocksOf, readDocument } from './docs/documents.js';
import { root } from './sources.js';

const TEN_MINUTES = 600_000;
const GLOBAL = 'npm install -g ./packages/cli';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-first-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readme = readDocument('README.md');
const shellBlocks = blocksOf(readme).filter(({ language }) => language === 'sh');
const install = shellBlocks.find(({ code }) => code.startsWith('npm install'))?.code.trimEnd() ?? '';
const example = blocksOf(readme).find(({ code }) => code.includes('@dragoman/core/fetch'))?.code ?? '';
const curl = shellBlocks.find(({ code }) => code.startsWith('curl'))?.code ?? '';

it.each([
  { name: 'the cache of npm', settings: {} },
  { name: 'an empty cache', settings: { npm_config_cache: join(folder, 'cache') } },
])(
  'gives a tool call without a compiler, with $name',
  { timeout: TEN_MINUTES },
  async ({ name, settings }) => {
    expect(install).toBe('npm install && npm start');
    const clone = mkdtempSync(join(folder, 'clone-'));
    for (const path of cloneFiles()) cpSync(join(root, path), join(clone, path));
    const env: NodeJS.ProcessEnv = { ...npmEnvironment(), ...settings };
    const began = performance.now();
    const seconds = (from: number) => Math.round((performance.now() - from) / 1000);
    // A port of its own. npm gives signals on to the shell only: a process group ends as a whole.
    const start = spawn('sh', ['-c', `${install} -- --port 0`], { cwd: clone, env, detached: true });
    const closed = once(start, 'close');
    let shown = '';
    let installed = 0;
    for (const stream of [start.stdout, start.stderr])
      stream.setEncoding('utf8').on('data', (piece) => {
        shown += piece;
        if (installed === 0 && shown.includes('Preparing the packages (1 of 3)'))
          installed = performance.now();
      });
    try {
      const isReady = () => shown.includes('Stop with Ctrl-C') || start.exitCode !== null;
      await vi.waitUntil(isReady, { timeout: TEN_MINUTES, interval: 50 });
      expect(start.exitCode, shown).toBe(null);
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(shown)?.[1] ?? '';
      const told = execFileSync('sh', ['-c', curl.replaceAll('8787', port)], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      });
      console.info(
        `${name}: first answer after ${seconds(began)} s, ${seconds(installed)} s after npm install`,
      );
      expect(JSON.parse(told).choices[0].message.tool_calls[0].function).toEqual({
        name: 'get_weather',
        arguments: '{"city":"Beijing"}',
      });
      expect(readme).toContain('`get_weather` with `{"city":"Beijing"}`');
      expect(installed).toBeGreaterThan(0);
      expect(existsSync(join(clone, 'packages/cli/dist/main.d.ts'))).toBe(false);
    } finally {
      if (start.pid !== undefined && start.exitCode === null) process.kill(-start.pid, 'SIGTERM');
      await closed;
    }

    expect(readme).toContain('`node try.mjs`');
    writeFileSync(join(clone, 'try.mjs'), example);
    const tried = execFileSync(process.execPath, ['try.mjs'], { cwd: clone, env, encoding: 'utf8' });
    expect(tried).toContain('{"city":"Paris"}');

    expect(readme).toContain(`\`${GLOBAL}\``);
    const prefix = join(clone, 'everywhere');
    execFileSync('sh', ['-c', GLOBAL], {
      cwd: clone,
      env: { ...env, npm_config_prefix: prefix },
      stdio: 'pipe',
    });
    const path = `${join(prefix, 'bin')}${delimiter}${env.PATH}`;
    const version = execFileSync('sh', ['-c', 'dragoman --version'], {
      cwd: folder,
      env: { ...env, PATH: path },
    });
    expect(version.toString()).toMatch(/^\d+\.\d+\.\d+\n$/);
  },
);
