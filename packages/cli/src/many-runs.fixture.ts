// Runs the built command many times in one process, because starting a process would cost more than the run. main.e2e.test.ts
// checks that a process of its own gives the same output.
//
//   const dragoman = manyRuns(folder);
//   afterAll(dragoman.end);
//   const { status, stdout, stderr } = await dragoman(['parse', '-d', 'hermes'], 'Hi');

import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));
const script = fileURLToPath(new URL('./many-runs.fixture.mjs', import.meta.url));

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface ManyRuns {
  (argv: readonly string[], input?: string | Uint8Array, env?: NodeJS.ProcessEnv): Promise<Ran>;
  end(): Promise<void>;
}

/** A process of its own, for what is about processes: codes, streams, signals, colours. */
export function runAlone(
  folder: string | undefined,
  argv: readonly string[],
  input: string | Uint8Array = '',
  env: NodeJS.ProcessEnv = {},
): Ran {
  const options = { input, cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 28 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], options);
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** `folder`: where it runs, or what tells that each time. */
export function manyRuns(folder: string | (() => string) = process.cwd()): ManyRuns {
  const where = typeof folder === 'string' ? () => folder : folder;
  let child: ChildProcess | undefined;
  const waiting: { tell: (ran: Ran) => void; fail: (error: Error) => void }[] = [];
  const start = () => {
    const one = fork(script, { serialization: 'advanced', execArgv: [] });
    one.on('message', (ran) => waiting.shift()?.tell(ran as Ran));
    one.on('exit', (code) => {
      for (const { fail } of waiting.splice(0)) fail(new Error(`the process ended with ${code}`));
    });
    return one;
  };
  const run = (argv: readonly string[], input: string | Uint8Array = '', env: NodeJS.ProcessEnv = {}) =>
    new Promise<Ran>((tell, fail) => {
      child ??= start();
      waiting.push({ tell, fail });
      child.send({ argv, input, env: { ...process.env, ...env }, cwd: where() });
    });
  const end = async () => {
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return Object.assign(run, { end });
}
