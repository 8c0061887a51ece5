// The start of `dragoman serve --demo`, from `node` to its first answer, against a bare HTTP server: CPU of the process.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as limits from './limits.js';
import { type CheckLimit, heading, ms, progress, table, times } from './report.js';

export interface ColdStart {
  name: string;
  /** Milliseconds. */
  cpu: number;
  ratio: number;
}

const ROUNDS = 7;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bare = here('cold-start-process.js');
const command = here('../../packages/cli/bin/dragoman.js');
const arms: [name: string, path: string, args: string[]][] = [
  ['a bare server', bare, []],
  ['a bare server, and @dragoman/core', bare, ['library']],
  ['dragoman serve --demo', command, ['serve', '--demo', '--port', '0']],
];

export async function coldStarts(hold: CheckLimit): Promise<ColdStart[]> {
  heading('A start, from node to the first answer: CPU of the process');
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    progress(`agent: start ${round + 1} of ${ROUNDS}`);
    const costs: number[] = [];
    for (const [, path, args] of arms) costs.push(await startCost(path, args));
    rounds.push(costs);
  }
  const results = arms.map(([name], at) => ({
    name,
    cpu: median(rounds.map((costs) => costs[at] as number)),
    ratio: median(rounds.map((costs) => (costs[at] as number) / (costs[0] as number))),
  }));
  table(
    ['', 'CPU', '÷ bare'],
    results.map(({ name, cpu, ratio }) => [name, ms(cpu), times(ratio)]),
  );
  const served = results.at(-1) as ColdStart;
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
