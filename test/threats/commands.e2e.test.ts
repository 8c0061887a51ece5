// What a command of the model must not reach or leave behind: keys of the program that runs it, processes, time.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { bin } from '../../packages/cli/src/many-runs.fixture.js';
import { startTextModel } from '../scripted/text-model.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dragoman-commands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const onLinux = process.platform === 'linux';
const canary = (n: number) => `canary-${process.pid}-${n}`;

/** A program that runs one command, or another tool, and prints the result and what it knows of its own key. */
const program = `
  import { sysBuiltIn } from '@dragoman/sys';
  const [tool, input] = JSON.parse(process.env.ASKED);
  const tools = sysBuiltIn({ folder: process.env.FOLDER, allow: 'all', namespace: '' });
  const controller = new AbortController();
  const { signal } = controller;
  // Aborts while the tool waits for what it did behind a look at the signal, the n-th of its looks.
  let looks = 0;
  signal.throwIfAborted = () => {
    if (++looks === Number(process.env.ABORT_BEHIND)) setImmediate(() => controller.abort(new Error('stopped')));
    AbortSignal.prototype.throwIfAborted.call(signal);
  };
  const result = await tools.find(({ name }) => name === tool).run(input, { signal }).catch((error) => error.message);
  const { execFileSync } = await import('node:child_process');
  const inherited = execFileSync('/bin/sh', ['-c', 'echo $OPENAI_API_KEY'], { encoding: 'utf8' }).trim();
  console.log(JSON.stringify({ result, looks, own: process.env.OPENAI_API_KEY, inherited, argv: process.argv }));`;

interface Ran {
  result: string;
  looks: number;
  own?: string;
  inherited: string;
  argv: string[];
}

/** Arguments that hold keys where no option says so. */
const secrets = [
  '--mcp',
  `TOKEN=${canary(4)} OTHER="a ${canary(5)}" server --api-key ${canary(6)}`,
  `--mcp=https://host/mcp?api_key=${canary(7)}`,
  '--header',
  `Authorization: Bearer ${canary(8)}`,
  '-H',
  `x-api-key: ${canary(9)}`,
  '--upstream',
  `https://user:${canary(10)}@host/v1?token=${canary(11)}&shown=yes`,
  `http://${canary(12)}@proxy:3128`,
];

/** Runs the program in a process of its own: of a worker thread the environment cannot be hidden. */
async function runProgram(
  asked: [tool: string, input: object],
  env: Record<string, string> = {},
  before: readonly string[] = [],
): Promise<Ran> {
  const node = [process.execPath, '--input-type=module', '-e', program, '--', ...secrets, '--upstream-key'];
  const [file = '', ...args] = [...before, ...node, canary(2), `--key=${canary(3)}`];
  const child: ChildProcess = spawn(file, args, {
    cwd: root,
    env: { ...process.env, FOLDER: folder, ASKED: JSON.stringify(asked), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout!)) as Ran;
}

/** Looks at all that a process may see of others. The pattern does not match the command itself. */
const search = `for file in /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/[0-9]*/task/*/environ; do
  tr '\\0' '\\n' < $file | grep -a 'canary-${process.pid}-[0-9]'; done 2>/dev/null; echo searched`;

/** The option of unshare that gives a program processes of its own, where this system has it. */
const unshared = ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--mount-proc'];
const canUnshare = onLinux && spawnSync('unshare', [...unshared.slice(1), 'true']).status === 0;

describe('a key of the program', () => {
  it.runIf(onLinux)('is in no environment and no argument that a command can read', async () => {
    const ran = await runProgram(['bash', { command: search }], { OPENAI_API_KEY: canary(1) });
    expect(ran.result).toBe('exit code 0\nstdout:\nsearched');
  });

  it.runIf(onLinux)('is in none either where `dragoman chat --tools sys` runs the command', async () => {
    const call = JSON.stringify({ name: 'bash', arguments: { command: search } });
    const model = await startTextModel(`<tool_call>\n${call}\n</tool_call>`, 'Done.');
    onTestFinished(() => model.close());
    const upstream = ['--upstream', model.url, '--model', 'm', '--dialect', 'hermes'];
    const chat = [bin, 'chat', '--tools', 'sys', '--yes', '--json', ...upstream, '--upstream-key', canary(2)];
    const child = spawn(process.execPath, chat, {
      cwd: folder,
      env: { ...process.env, OPENAI_API_KEY: canary(1) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end('Search.');
    const { calls } = JSON.parse(await text(child.stdout)) as { calls: { output: string }[] };
    expect(calls.map(({ output }) => output)).toEqual(['exit code 0\nstdout:\nsearched']);
    expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${canary(2)}`);
  });

  it.runIf(onLinux)('stays where the program itself and what it starts look for it', async () => {
    const ran = await runProgram(['bash', { command: 'true' }], { OPENAI_API_KEY: canary(1) });
    expect([ran.own, ran.inherited]).toEqual([canary(1), canary(1)]);
    expect(ran.argv.slice(-13, -3)).toEqual(secrets);
    expect(ran.argv.slice(-3)).toEqual(['--upstream-key', canary(2), `--key=${canary(3)}`]);
  });

  it.runIf(onLinux)('is hidden in its argument, and what is beside it stays', async () => {
    const ran = await runProgram(['bash', { command: "tr '\\0' '\\n' < /proc/$PPID/cmdline" }]);
    expect(ran.result).toMatch(/\n--mcp\n\*+\n--mcp=\*+\n--header\n\*+\n-H\n\*+\n--upstream\n/);
    expect(ran.result).toMatch(/\nhttps:\/\/\*+@host\/v1\?token=\*+&shown=yes\nhttp:\/\/\*+@proxy:3128\n/);
  });

  it.runIf(canUnshare)('is out of sight in the processes around it where these are not shared', async () => {
    // A launcher that keeps its environment, as npx does.
    const launcher = ['/bin/sh', '-c', '"$@"; true', 'launcher', ...unshared];
    const env = { OPENAI_API_KEY: canary(1) };
    const ran = await runProgram(['bash', { command: search }], env, launcher);
    expect(ran.result).toBe('exit code 0\nstdout:\nsearched');
  });
});

describe('a process that a command leaves behind', () => {
  const running = (name: string) =>
    execFileSync('/bin/sh', ['-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "; true'], {
      encoding: 'utf8',
    }).includes(name);

  it.runIf(onLinux).each([
    ['in a job of its own', `set -m; sleep 779.${process.pid}1 &`, `sleep 779.${process.pid}1`],
    [
      'in a session of its own',
      `setsid -f sleep 779.${process.pid}2 >/dev/null 2>&1`,
      `sleep 779.${process.pid}2`,
    ],
    [
      'as a daemon',
      `(setsid nohup sh -c 'sleep 779.${process.pid}3; :' >/dev/null 2>&1 &) ; sleep 0.2`,
      `sleep 779.${process.pid}3`,
    ],
  ])('%s is ended and named', async (_, command, left) => {
    const { result } = await runProgram(['bash', { command }]);
    expect(result).toMatch(/^exit code 0; processes left in the background were ended: .*sleep/);
    expect(running(left)).toBe(false);
  });
});

describe('a process that leaves the session and drops its mark', () => {
  const sleep = (n: number) => `sleep 775.${process.pid}${n}`;

  it.runIf(onLinux).each([
    [`unset DRAGOMAN_COMMAND; setsid ${sleep(1)} >/dev/null 2>&1 & sleep 0.3`, sleep(1)],
    [`env -u DRAGOMAN_COMMAND setsid -f ${sleep(2)} >/dev/null 2>&1; sleep 0.3`, sleep(2)],
    [`env -i setsid -f ${sleep(3)} >/dev/null 2>&1; sleep 0.3`, sleep(3)],
  ])('is named, and not ended: %s', async (command, left) => {
    const { result } = await runProgram(['bash', { command }]);
    const named = [...result.matchAll(/sleep \(([0-9]+)\)/g)].map(([, pid]) => Number(pid));
    const pid = named.find((one) => commandOf(one) === left);
    if (pid !== undefined) process.kill(pid);
    expect(pid).toBeDefined();
    expect(result).toMatch(/^exit code 0; processes that may be left of it and were not ended: /);
  });

  function commandOf(pid: number): string {
    const path = `/proc/${pid}/cmdline`;
    return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\0', ' ').trim() : '';
  }
});

describe('a path of 20,000 levels', () => {
  const path = 'a/'.repeat(20_000);

  it.each([
    ['read_file', { path }],
    ['write_file', { path: `${path}b`, content: '' }],
    ['list_files', { path }],
  ])('is refused by %s before it costs anything', async (tool, input) => {
    expect((await runProgram([tool, input])).result).toMatch(/^A path of [0-9]+ characters is too long/);
  });

  it('and the search for a long one stops when it is aborted in the middle', async () => {
    const asked: [string, object] = ['read_file', { path: 'a/'.repeat(2000) }];
    const whole = await runProgram(asked);
    expect(whole.result).toMatch(/^There is no a\/a/);
    expect(whole.looks).toBeGreaterThan(6);
    const { result, looks } = await runProgram(asked, { ABORT_BEHIND: '4' });
    expect({ result, looks }).toEqual({ result: 'stopped', looks: 5 });
  });
});
