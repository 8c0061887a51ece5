// The built command as processes: gateways from a configuration file, which are killed after each test.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { environment, ServeProcess } from '../../packages/cli/src/serve-process.fixture.js';

export interface ServedStage {
  /** Of the configuration files. */
  readonly folder: string;
  write(name: string, text: string | object): string;
  /** A gateway that listens. A second `argv` follows `serve --config name --port 0`. */
  serve(name: string, argv?: readonly string[], env?: NodeJS.ProcessEnv): Promise<ServeProcess>;
  /** `serve` with these options, which may end at once. */
  start(argv: readonly string[], env?: NodeJS.ProcessEnv): ServeProcess;
  /** Ends with the test. */
  spawn(command: string, argv: readonly string[]): ChildProcess;
}

export function openServedStage(): ServedStage {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-threats-'));
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const start = (argv: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const gateway = new ServeProcess(argv, folder, environment(env));
    running.add(gateway.child);
    return gateway;
  };
  return {
    folder,
    start,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
      return path;
    },
    async serve(name, argv = [], env = {}) {
      const gateway = start(['--config', name, '--port', '0', ...argv], env);
      await gateway.says('Stop with Ctrl-C.');
      return gateway;
    },
    spawn(command, argv) {
      const child = spawn(command, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      running.add(child);
      return child;
    },
  };
}

/** The healthPort that the log of a gateway names. */
export const healthPortOf = (log: string) =>
  /health checks have a port of their own.* port=(\d+)/.exec(log)?.[1] ?? '';

/** Drawn from a seed, so that a failure can be had again. Seeds in a row are spread: they would begin alike. */
export function createRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function post(url: string, body: unknown, key?: string): Promise<Response> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers, body: text });
}
