// Conversions whose input changes while it is read, and whose workers are killed at random: processes of the built
// command. A changed input is an error that names it; killed workers change no byte.

import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { bin } from '../../packages/cli/src/many-runs.fixture.js';
import { startServer } from '../../packages/gateway/src/store/real-servers.fixture.js';
import { oneOf } from '../effort.js';
import { createRandom, openServedStage } from './served-process.js';

const stage = openServedStage();
const at = (name: string) => join(stage.folder, name);

function rows(count: number): string {
  const row = (n: number) => {
    const messages = [
      { role: 'user', content: `Question ${n}. ${'Tell me more. '.repeat(40 + (n % 40))}` },
      { role: 'assistant', content: `Answer ${n}.` },
    ];
    return `${JSON.stringify({ id: n, messages })}\n`;
  };
  return Array.from({ length: count }, (_, n) => row(n)).join('');
}

function start(...argv: string[]) {
  const child = stage.spawn(process.execPath, [bin, ...argv]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (printed += piece));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, ended, printed: () => printed };
}

const forms = ['--from', 'openai', '--to', 'anthropic', '--block-size', '64k'];
const convert = (...argv: string[]) => start('convert', ...argv, ...forms);

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 5000; tries++) await wait(4);
}

describe('an input that changes while it is converted', () => {
  it.each([
    ['grows', (path: string) => appendFileSync(path, rows(3))],
    ['is cut', (path: string) => truncateSync(path, 100_000)],
    ['is written again', (path: string) => writeFileSync(path, rows(3000).replaceAll('Question', 'Frage'))],
    [
      'is replaced',
      (path: string) => {
        writeFileSync(`${path}.new`, rows(2900));
        renameSync(`${path}.new`, path);
      },
    ],
    ['is removed', (path: string) => rmSync(path)],
  ])('and %s is an error that names it, and no output passes for whole', async (what, change) => {
    const [input, output] = [`${what}.jsonl`, `${what}.out.jsonl`];
    writeFileSync(at(input), rows(3000));
    const { size } = statSync(at(input));
    const { child, ended, printed } = convert(input, '-o', output, '--jobs', '1');
    await until(() => existsSync(at(`${output}.partial`)) || existsSync(at(`${output}.journal`)));
    // Held still, so that it cannot have ended.
    child.kill('SIGSTOP');
    expect(existsSync(at(output))).toBe(false);
    change(at(input));
    child.kill('SIGCONT');
    expect(await ended, printed()).toBe(3);
    const words = existsSync(at(input))
      ? `${input} changed while it was read: it had ${size} bytes and has ${statSync(at(input)).size}. Convert it when it is whole; --force starts over`
      : `there is no file or folder ${input}`;
    expect(printed()).toBe(`dragoman: ${words}\n`);
    expect(existsSync(at(output))).toBe(false);
  });
});

const redis = await startServer('redis');
afterAll(async () => {
  if (typeof redis !== 'string') await redis.stop();
});

/** Waits until a worker has a part of the input. Gives false if the job is done before. */
async function isAtWork(url: string, isDone: () => boolean): Promise<boolean> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  while (!isDone() && (await client.llen('bull:dragoman-convert:active')) === 0) await wait(5);
  client.disconnect();
  return !isDone();
}

describe('workers of a queue that are killed at random', () => {
  it.for(oneOf(6, [3, 4, 5, 6, 7, 8]))('change no byte (seed %i)', async (seed, { skip }) => {
    if (typeof redis === 'string') return skip(redis);
    const random = createRandom(seed);
    writeFileSync(at('queue.jsonl'), rows(2500));
    const [alone, output] = [`alone-${seed}.jsonl`, `queue-${seed}.jsonl`];
    const queue = ['--queue', redis.url];
    const worker = () => start('worker', ...queue, '--jobs', '1');
    const workers = [worker(), worker()];
    const job = convert('queue.jsonl', '-o', output, ...queue);
    let done = false;
    void job.ended.then(() => {
      done = true;
    });
    let kills = 0;
    for (; kills < 4; kills++) {
      if (!(await isAtWork(redis.url, () => done))) break;
      const place = Math.floor(random() * workers.length);
      workers[place]?.child.kill('SIGKILL');
      workers[place] = worker();
      await wait(200 + random() * 500);
    }
    expect(kills).toBeGreaterThan(0);
    expect(await job.ended, job.printed()).toBe(0);
    expect(await convert('queue.jsonl', '-o', alone).ended).toBe(0);
    expect(readFileSync(at(output)).equals(readFileSync(at(alone)))).toBe(true);
  });
});
