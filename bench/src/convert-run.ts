// Runs of the real command and of the floor, one process each, on one core or on all of them.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../packages/cli/bin/dragoman.js', import.meta.url));
const floor = fileURLToPath(new URL('./convert-floor-process.js', import.meta.url));

/** Without it `--jobs 1` may still use a second core, for what collects garbage and compiles. */
const pin = { program: 'taskset', version: '-V', toFirst: ['-c', '0'] };
export const canPin = spawnSync(pin.program, [pin.version]).status === 0;

/** As the command line has them: `openai`, or `messages:hermes` for text in a dialect. */
export interface Ends {
  from: string;
  to: string;
}

export interface ProcessRun {
  input: string;
  output: string;
  cores: 1 | 2;
}

export interface Time {
  /** Seconds from the start of the process to its end. */
  wall: number;
  /** Seconds that its threads have worked, all together: the same however busy the machine is. */
  cpu: number;
}

export function runFloor({ input, output, cores }: ProcessRun): Promise<Time> {
  return timed([floor, input, output, String(cores)], cores);
}

export function runConvert({ input, output, cores }: ProcessRun, { from, to }: Ends): Promise<Time> {
  const ends = ['convert', input, '--from', from, '--to', to, '--output', output];
  return timed([command, ...ends, '--quiet', '--force', '--jobs', String(cores)], cores);
}

/** Loaded into every measured process: reports its CPU time at its end. */
const meter = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  const tell = () => writeSync(3, JSON.stringify(process.cpuUsage()));
  if (isMainThread) process.on('exit', tell);
`)}`;

async function timed(args: readonly string[], cores: 1 | 2): Promise<Time> {
  const line = [process.execPath, '--import', meter, ...args];
  const [program = '', ...rest] = cores === 1 && canPin ? [pin.program, ...pin.toFirst, ...line] : line;
  const start = performance.now();
  const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const said = ['', ''];
  for (const [n, pipe] of child.stdio.slice(2).entries())
    (pipe as Readable).setEncoding('utf8').on('data', (text: string) => {
      said[n] += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  const wall = (performance.now() - start) / 1000;
  const [complaint = '', use = ''] = said;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complaint}`);
  const { user, system } = JSON.parse(use) as NodeJS.CpuUsage;
  return { wall, cpu: (user + system) / 1e6 };
}
