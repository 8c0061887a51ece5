// The start of `dragoman serve --demo`, from `node` to its first answer, against a bare HTTP server: CPU of the process.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as limits from './limits.js';
import { type CheckLimit, heading, times } from './report.js';
import { raceStarts, type Start, type StartArm } from './starts.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bare = here('cold-start-process.js');
const command = here('../../packages/cli/bin/dragoman.js');
const arms: readonly StartArm[] = [
  ['a bare server', () => startCost(bare, [])],
  ['a bare server, and @dragoman/core', () => startCost(bare, ['library'])],
  ['dragoman serve --demo', () => startCost(command, ['serve', '--demo', '--port', '0'])],
];

export async function coldStarts(hold: CheckLimit): Promise<Start[]> {
  heading('A start, from node to the first answer: CPU of the process');
  const results = await raceStarts('agent', 'bare', arms);
  const served = results.at(-1) as Start;
  hold('a start of the gateway ÷ a bare server', served.ratio, limits.COLD_START, times);
  return results;
}

async function startCost(path: string, args: string[]): Promise<number> {
  const execArgv = ['--import', new URL('report-cpu.js', import.meta.url).href];
  const child = fork(path, args, { execArgv, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  try {
    const url = await addressOf(child);
    const body = JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'Hi' }] });
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.text();
    child.send('cpu');
    const [cpu] = (await once(child, 'message')) as [number];
    return cpu / 1000;
  } finally {
    child.kill('SIGKILL');
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const piece of stdout ?? []) {
    text += piece;
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
    if (found) return found[0];
  }
  throw new Error(`The server did not start: ${text}`);
}
