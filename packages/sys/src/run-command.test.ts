import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolError } from '@dragoman/core/agent';
import { afterAll, describe, expect, it } from 'vitest';
import { type CommandOptions, runCommand } from './run-command.js';
import { commandText, findShell } from './sys-built-in.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-command-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
const settings: CommandOptions = {
  shell: findShell({ path: env.PATH }),
  folder,
  env,
  timeout: 20_000,
  grace: 100,
  outputLength: 2000,
  signal: new AbortController().signal,
};

async function run(command: string, options: Partial<CommandOptions> = {}): Promise<string> {
  const all = { ...settings, ...options };
  return commandText(await runCommand(command, all), all.timeout, all.outputLength);
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 1000) throw new Error('it never came');
    await delay(5);
  }
}

/** Not there, or there only for its parent to be told: dead either way. */
function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  return existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

let files = 0;
/** A file for a command to write pids into, and a look at them. */
function pidFile() {
  const path = join(folder, `pids-${files++}`);
  const pids = () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split(/\s+/).map(Number) : []);
  return { path, pids };
}

describe('a command', () => {
  it('gives its exit code and what it wrote, in the folder', async () => {
    expect(await run('pwd; echo no >&2; exit 3')).toBe(`exit code 3\nstdout:\n${folder}\n\nstderr:\nno`);
    expect(await run('true')).toBe('exit code 0\n(no output)');
    expect(await run('kill -9 $$')).toBe('ended by SIGKILL\n(no output)');
  });

  it('has nothing to read from, and no terminal', async () => {
    expect(await run('cat; echo "$?"; test -t 0 || echo none')).toBe('exit code 0\nstdout:\n0\nnone');
  });

  it('sees only the environment it is given', async () => {
    process.env.DRAGOMAN_TEST_SECRET = 'canary';
    try {
      expect(await run('env; cat /dev/null')).not.toContain('canary');
    } finally {
      delete process.env.DRAGOMAN_TEST_SECRET;
    }
  });

  it('may write what is no UTF-8, also cut in the middle of a character', async () => {
    const split = `printf 'a\\377b\\360\\237'; sleep 0.05; printf '\\230\\200'`;
    expect(await run(split)).toBe('exit code 0\nstdout:\na\ufffdb😀');
    expect(await run(`printf '\\360\\237'`)).toBe('exit code 0\nstdout:\n\ufffd');
  });

  it('runs in sh as well', async () => {
    expect(await run('echo $((1 + 1))', { shell: '/bin/sh' })).toBe('exit code 0\nstdout:\n2');
  });

  it('that cannot be started is an error in words', async () => {
    await expect(run('true', { shell: '/no/such/shell' })).rejects.toThrow(ToolError);
    await expect(run('true', { shell: '/no/such/shell' })).rejects.toThrow('could not be started');
    await expect(run('echo \0')).rejects.toThrow('NUL');
  });
});

describe('long output', () => {
  it('keeps both ends, of both streams together not more than the limit', async () => {
    const text = await run('echo first; seq 100000; echo last; seq 100000 >&2; echo end >&2');
    expect(text).toMatch(/^exit code 0\nstdout:\nfirst\n1\n2\n/);
    expect(text).toMatch(/\n100000\nlast\n\nstderr:\n1\n2\n/);
    expect(text).toMatch(/\n100000\nend$/);
    expect(text.match(/characters left out/g)).toHaveLength(2);
    expect(text.length).toBeLessThan(2000 + 200);
  });

  it('of one stream may take what the other leaves', async () => {
    const text = await run('seq 100000; echo short >&2');
    expect(text).toMatch(/\nstderr:\nshort$/);
    expect(text.length).toBeGreaterThan(1900);
  });

  it('without end is read on, held in bounds, and ended with the time', async () => {
    const result = await runCommand('yes 0123456789', { ...settings, timeout: 300 });
    expect(result.timedOut).toBe(true);
    expect(result.stdout.length).toBeGreaterThan(100_000);
    expect(result.stdout.held).toBeLessThan(3 * settings.outputLength);
  });
});

describe('a command that does not end', () => {
  it('is ended when its time is up, with all its processes', async () => {
    const { path, pids } = pidFile();
    const command = `echo begun; sleep 60 & echo $! $$ > ${path}; (sleep 60; echo never) & wait`;
    expect(await run(command, { timeout: 500 })).toBe(
      'ended after 500 ms, which is the time limit\nstdout:\nbegun',
    );
    expect(pids()).toHaveLength(2);
    expect(pids().every(isDead)).toBe(true);
  });

  it('is killed if it does not listen to SIGTERM', async () => {
    const { path, pids } = pidFile();
    const deaf = `trap '' TERM; echo $$ > ${path}; while :; do sleep 0.02; done`;
    expect(await run(deaf, { timeout: 500 })).toContain('time limit');
    expect(pids()).toHaveLength(1);
    expect(pids().every(isDead)).toBe(true);
  });

  it('is ended with all its processes when it is aborted, deaf children too', async () => {
    const { path, pids } = pidFile();
    const stop = new AbortController();
    const deaf = `(trap '' TERM; echo $BASHPID; while :; do sleep 0.02; done) >> ${path} & echo $$ >> ${path}; wait`;
    const running = run(deaf, { signal: stop.signal, shell: findShell() });
    await until(() => pids().length === 2);
    expect(pids().some(isDead)).toBe(false);
    stop.abort(new Error('stopped by the user'));
    await expect(running).rejects.toThrow('stopped by the user');
    expect(pids().every(isDead)).toBe(true);
  });

  it('is not even begun if it is aborted already', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(run(`touch ${folder}/begun`, { signal })).rejects.toThrow('too late');
    expect(existsSync(join(folder, 'begun'))).toBe(false);
  });
});

describe('a process left in the background', () => {
  it.runIf(existsSync('/usr/bin/setsid'))(
    'that cannot be found is reported if it holds the pipes',
    async () => {
      const { path, pids } = pidFile();
      const text = await run(
        `env -i ${process.env.SHELL ?? '/bin/sh'} -c 'setsid -f sh -c "echo \\$\\$ > ${path}; exec sleep 60"'; while ! test -s ${path}; do sleep 0.01; done`,
      );
      try {
        expect(text).toContain('; a process that left its session may still be running');
      } finally {
        for (const pid of pids()) process.kill(pid, 'SIGKILL');
      }
    },
  );

  it('that holds the pipes does not hold up the result, and is ended', async () => {
    const { path, pids } = pidFile();
    const text = await run(`sleep 60 & echo $! > ${path}; echo done`);
    expect(text).toBe('exit code 0; processes left in the background were ended: sleep\nstdout:\ndone');
    expect(pids().every(isDead)).toBe(true);
  });

  it('that does not hold them is ended as well, deaf or not', async () => {
    const { path, pids } = pidFile();
    const text = await run(`(trap '' TERM; sleep 60; :) >/dev/null 2>&1 & echo $! > ${path}`);
    expect(text).toContain('left in the background were ended');
    expect(pids()).toHaveLength(1);
    expect(pids().every(isDead)).toBe(true);
  });

  it('that ends by itself in a moment is none, and is heard', async () => {
    expect(await run('(sleep 0.01; echo late) &')).toBe('exit code 0\nstdout:\nlate');
  });

  it.runIf(existsSync('/usr/bin/setsid'))(
    'that left the session is ended as well, and does not hold up the result',
    async () => {
      const { path, pids } = pidFile();
      const text = await run(
        `setsid sh -c 'echo $$ > ${path}; exec sleep 60' & while ! test -s ${path}; do sleep 0.01; done; echo done`,
      );
      expect(text).toBe('exit code 0; processes left in the background were ended: sleep\nstdout:\ndone');
      expect(pids().every(isDead)).toBe(true);
    },
  );
});
