// Starts programs, bounds their time, and ends them with everything they started.

import { spawn } from 'node:child_process';

/** Seconds that an interrupted program has to end by itself. */
const GRACE = 5;

/**
 * Runs to the end, or to the limit. Never throws. When `interrupt` settles, the program gets what Ctrl-C sends.
 */
export function runProgram(command, args, { cwd, env, seconds, interrupt }) {
  return new Promise((tell) => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    let late = false;
    const limit = (after, isLate) =>
      setTimeout(() => {
        late = isLate;
        endGroup(child);
      }, after * 1000);
    let timer = limit(seconds, true);
    interrupt?.then(() => {
      clearTimeout(timer);
      endGroup(child, 'SIGINT');
      timer = limit(GRACE, false);
    });
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        out[name] += text;
      });
    const done = (code) => {
      clearTimeout(timer);
      endGroup(child);
      tell({ ...out, code, late });
    };
    child.on('error', (error) => {
      out.stderr += error.message;
      done(-1);
    });
    child.on('close', done);
  });
}

/** What an agent leaves running behind itself goes too. */
export function endGroup({ pid }, signal = 'SIGKILL') {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of it is over already.
  }
}
