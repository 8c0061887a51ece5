// Starts programs, bounds their time, and ends them with everything they started.

import { spawn } from 'node:child_process';

/** Runs to the end, or to the limit. Never throws. */
export function runProgram(command, args, { cwd, env, seconds }) {
  return new Promise((tell) => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child);
    }, seconds * 1000);
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
