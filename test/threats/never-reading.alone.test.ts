// Clients that never read: what is buffered for them is bounded, health checks are answered meanwhile, and the memory is
// given back when they leave. The built gateway, its upstream and the clients are processes of their own.

import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startFlood } from './running-gateway.js';

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 1);
const CLIENTS = EFFORT >= 1 ? 3000 : 400;
const SECONDS = EFFORT >= 1 ? 20 : 4;
const MB = 1024 * 1024;
/** The young part of the heap may be full or empty, in any measure but the full one, where it counts. */
const YOUNG = EFFORT >= 1 ? 0 : 32 * MB;
/** Milliseconds after which memory has been given back. */
const GIVEN_BACK = 9000;
/** Garbage of what passes until the buffers are full: some 320 MB with a hundred clients, and no more with a thousand. */
const PASSING = 320 * MB;
/** Bytes that one stream takes at most, with its two connections. */
const MOST_OF_ONE = 0.5 * MB;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

function start(script: string, args: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: ['--expose-gc'],
    // As in the Dockerfile and the unit of systemd: otherwise glibc keeps what was freed.
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '32768' },
  });
  children.push(child);
  return child;
}

const heard = <T>(child: ChildProcess) =>
  new Promise<T>((tell) => child.once('message', (message) => tell(message as T)));

interface Probe {
  url: string;
  rss: number;
  heapUsed: number;
  peak: number;
  stretch: number;
  open: number;
}

describe.skipIf(process.platform !== 'linux')('clients that never read', () => {
  it('are bounded in memory, delay no health check, and leave nothing behind', async () => {
    const flood = await startFlood(64 * MB);
    const gateway = start('./probed-gateway.mjs', [flood.url, 'chat']);
    const { url } = await heard<Probe>(gateway);
    const tell = (word: string) => {
      const answer = heard<Probe>(gateway);
      gateway.send(word);
      return answer;
    };
    const round = async (count: number, seconds: number) => {
      const clients = start('./never-reading.mjs', [new URL(url).port, String(count)]);
      await heard(clients);
      await wait(1000 * seconds);
      const { peak, open, stretch } = await tell('report');
      const left = heard<{ times: number[] }>(clients);
      clients.send('leave');
      const { times } = await left;
      for (let tries = 0; tries < 150 && (await tell('report')).open > 0; tries++) await wait(100);
      return { times, peak, open, stretch };
    };
    // The same load once before: it leaves code, pools and the shape of the heap behind for good, 40 MB with 3,000 clients.
    // What a second one adds is what it did not give back. Nothing is collected by force: the gateway has to do it.
    await round(CLIENTS, SECONDS);
    await wait(GIVEN_BACK);
    const before = await tell('report');
    await tell('reset');
    const { times, peak, open, stretch } = await round(CLIENTS, SECONDS);
    const most = 1.2 * before.rss + YOUNG;
    let after = await tell('report');
    for (const end = Date.now() + GIVEN_BACK; after.rss >= most && Date.now() < end; ) {
      await wait(500);
      after = await tell('report');
    }
    const slowest = Math.max(...times);
    console.log(
      `${CLIENTS} clients, ${open} open: ${(before.rss / MB).toFixed(0)} MB before, ${(peak / MB).toFixed(0)} MB at most, ${(after.rss / MB).toFixed(0)} MB after; ${times.length} health checks, the slowest ${slowest.toFixed(0)} ms, 95 % within ${times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)]?.toFixed(0)} ms, the longest stretch ${stretch.toFixed(0)} ms`,
    );
    expect(after.open).toBe(0);
    expect(after.rss).toBeLessThan(most);
    // Without what the memory allocator keeps.
    expect(after.heapUsed).toBeLessThan(1.2 * before.heapUsed + YOUNG);
    expect(peak).toBeLessThan(before.rss + PASSING + CLIENTS * MOST_OF_ONE);
    // In processor time, and for nearly all checks by the clock: the clients and the upstream share the machine.
    expect(stretch).toBeLessThan(100);
    expect(times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)]).toBeLessThan(100);
    await flood.close();
  }, 240_000);
});
