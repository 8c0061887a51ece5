// A command in a real pseudo-terminal, driven with keys and read as a person sees it, by way of tmux.
// A missing tmux is installed where installs.mjs allows it; else the tests that need it are skipped and the reason is
// listed.
//
//   const tmux = await findTmux();
//   describe.skipIf(!tmux)('…', () => {
//     const terminal = await startTerminal([process.execPath, bin, 'chat'], { columns: 80 });
//     await terminal.shows('> ');
//     await terminal.type('Hello', 'Enter');

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { find, findOrInstall } from '../debian.mjs';
import { reportMissing } from '../installs.mjs';

const run = promisify(execFile);

/** How long a screen is waited for, in milliseconds. */
const PATIENCE = 120_000;

export interface TerminalOptions {
  /** Default 80. */
  columns?: number;
  /** Default 24. */
  rows?: number;
  cwd?: string;
  /** Added to the environment of the tests; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
}

/** Words to type as they are, or keys by tmux's names: `Enter`, `C-c`, `Up`, `Escape`. */
const KEYS = /^(?:[CMS]-.|Enter|Escape|Tab|Space|BSpace|DC|Up|Down|Left|Right|Home|End|PPage|NPage)$/;

export class Terminal {
  constructor(
    private readonly folder: string,
    private readonly tmux: (...args: string[]) => Promise<string>,
  ) {}

  async type(...words: string[]): Promise<void> {
    for (const [at, word] of words.entries()) {
      // What comes at once is taken for a paste.
      if (at > 0) await wait(10);
      await this.tmux('send-keys', ...(KEYS.test(word) ? [word] : ['-l', '--', word]));
    }
  }

  /** As a terminal pastes: in brackets, if the program asked for them. */
  async paste(text: string): Promise<void> {
    await this.tmux('set-buffer', '-b', 'pasted', '--', text);
    await this.tmux('paste-buffer', '-p', '-r', '-b', 'pasted');
  }

  /** What is seen now, without the blank lines below. `scrolled`: with what has moved out at the top. */
  async screen(options: { scrolled?: boolean; colors?: boolean } = {}): Promise<string> {
    const flags = [...(options.scrolled ? ['-S', '-'] : []), ...(options.colors ? ['-e'] : [])];
    return (await this.tmux('capture-pane', '-p', ...flags)).trimEnd();
  }

  /** Waits until it is seen, and gives the screen then. Throws with the screen if it does not come. */
  async shows(sought: string | RegExp, options: { scrolled?: boolean } = {}): Promise<string> {
    const until = Date.now() + PATIENCE;
    for (;;) {
      const screen = await this.screen(options);
      if (typeof sought === 'string' ? screen.includes(sought) : sought.test(screen)) return screen;
      if (Date.now() > until) throw new Error(`waited in vain for ${String(sought)}; the screen:\n${screen}`);
      await wait(20);
    }
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** Waits for the end of the command and gives its exit code; 128 and its number for a signal. */
  async ended(): Promise<number> {
    const until = Date.now() + PATIENCE;
    for (;;) {
      const code = readIfThere(join(this.folder, 'code'));
      if (code !== undefined) return Number(code);
      if (Date.now() > until) throw new Error(`it does not end; the screen:\n${await this.screen()}`);
      await wait(20);
    }
  }

  async close(): Promise<void> {
    await this.tmux('kill-server').catch(() => {});
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Keeps the exit code in a file: tmux forgets it now and then. Ctrl-C is for the command, not for the shell. */
const WRAPPER = 'trap : INT QUIT; "$@"; echo $? > "$0.new"; mv "$0.new" "$0"';

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

export async function startTerminal(
  command: readonly string[],
  { columns = 80, rows = 24, cwd, env = {} }: TerminalOptions = {},
): Promise<Terminal> {
  const binary = find('tmux');
  if (binary === undefined) throw new Error('there is no tmux: ask findTmux first');
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-tmux-'));
  const settings = [
    'set -g remain-on-exit on',
    'set -gq remain-on-exit-format ""',
    'set -g status off',
    'set -g history-limit 20000',
    'set -s escape-time 0',
    'set -g default-terminal screen-256color',
  ];
  writeFileSync(join(folder, 'tmux.conf'), `${settings.join('\n')}\n`);
  const options = { env: { ...process.env, LC_ALL: 'C.UTF-8', TMUX: undefined, ...env }, maxBuffer: 1 << 26 };
  const always = ['-u', '-S', join(folder, 's'), '-f', join(folder, 'tmux.conf')];
  const size = ['-x', String(columns), '-y', String(rows)];
  const wrapped = ['/bin/sh', '-c', WRAPPER, join(folder, 'code'), ...command];
  const place = cwd === undefined ? [] : ['-c', cwd];
  await run(binary, [...always, 'new-session', '-d', ...size, ...place, '--', ...wrapped], options);
  const client = spawn(binary, [...always, '-C', 'attach', '-f', 'no-output,ignore-size'], {
    env: options.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const orders = new Orders(client);
  return new Terminal(folder, (...words) => orders.give(words));
}

/**
 * Orders to tmux over one line that stays open (its control mode). A process for each would be hundreds, and one as
 * large as that of the tests takes some 70 ms to start another.
 */
class Orders {
  readonly #waiting: { settle: (said: string) => void; fail: (error: Error) => void }[] = [];
  #rest = '';
  #answer: { end: string; lines: string[] } | undefined;

  constructor(private readonly client: ChildProcess) {
    client.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() as string;
      for (const line of lines) this.#hear(line);
    });
    client.stdin?.on('error', () => {});
    client.once('close', () => {
      for (const { fail } of this.#waiting.splice(0)) fail(new Error('tmux has ended'));
    });
  }

  give(words: readonly string[]): Promise<string> {
    if (this.client.exitCode !== null) return Promise.reject(new Error('tmux has ended'));
    this.client.stdin?.write(`${words.map(quoted).join(' ')}\n`);
    return new Promise((settle, fail) => this.#waiting.push({ settle, fail }));
  }

  /** An answer stands between `%begin <time> <number> 1` and `%end` or `%error` with the same; 1: to an order from here. */
  #hear(line: string): void {
    if (!this.#answer) {
      const [, end] = /^%begin (\d+ \d+ 1)$/.exec(line) ?? [];
      if (end !== undefined) this.#answer = { end, lines: [] };
      return;
    }
    const { end, lines } = this.#answer;
    if (line !== `%end ${end}` && line !== `%error ${end}`) return void lines.push(line);
    this.#answer = undefined;
    const asked = this.#waiting.shift();
    if (line.startsWith('%end')) asked?.settle(lines.map((one) => `${one}\n`).join(''));
    else asked?.fail(new Error(`tmux: ${lines.join(' ')}`));
  }
}

/** A word as tmux's own language writes it: what is not plain by its bytes. */
function quoted(word: string): string {
  const bytes = [...Buffer.from(word, 'utf8')];
  const inner = bytes.map((byte) => {
    const plain = String.fromCharCode(byte);
    return /[\w-]/.test(plain) ? plain : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${inner.join('')}"`;
}

/** Where tmux is; or undefined, which is reported. */
export async function findTmux(): Promise<string | undefined> {
  try {
    return await findOrInstall('tmux');
  } catch (error) {
    return void reportMissing('terminals, with tmux', error);
  }
}
