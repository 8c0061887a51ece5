// A gateway in a process of its own, started by the built command.

import { type ChildProcess, spawn } from 'node:child_process';
import { bin } from './many-runs.fixture.js';

/** The environment without the settings of this machine, which must not decide. */
export function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const none = { OPENAI_BASE_URL: undefined, ANTHROPIC_BASE_URL: undefined, FORCE_COLOR: undefined };
  return { ...process.env, ...none, ...more };
}

export class ServeProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;

  constructor(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv, command = bin) {
    this.child = spawn(process.execPath, [command, 'serve', ...argv], { cwd, env });
    this.child.stdout?.on('data', (piece) => {
      this.stdout += piece;
    });
    this.child.stderr?.on('data', (piece) => {
      this.stderr += piece;
    });
    this.ended = new Promise((tell) => this.child.once('close', tell));
  }

  /** Throws with the output if the process ends before. */
  async says(words: string): Promise<void> {
    let over = false;
    void this.ended.then(() => {
      over = true;
    });
    while (!this.stdout.includes(words)) {
      if (over) throw new Error(`ended without saying ${words}: ${this.stdout}${this.stderr}`);
      await new Promise((tell) => setTimeout(tell, 10));
    }
  }

  get url(): string {
    return /http:\/\/[^\s]+/.exec(this.stdout)?.[0] ?? '';
  }

  stop(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}
