// Clients that never read: what is buffered for them is bounded, health checks are answered meanwhile, and the memory is
// given back when they leave. The built gateway, its upstream, the clients and the health checks are processes of their
// own.

import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { STALLED_STREAM_BYTES } from '../../packages/gateway/src/server/stalled-streams.js';
import { freePort } from '../real-servers.mjs';
import { startFlood } from './running-gateway.js';

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 1);
const CLIENTS = EFFORT >= 1 ? 3000 : 400;
const SECONDS = EFFORT >= 1 ? 20 : 4;
const MB = 1024 * 1024;
/** `limits.streamBytes`: the default, and in the small measure as much less as there are fewer clients. */
const STREAM_BYTES = EFFORT >= 1 ? 64 * MB : 16 * MB;
/** Bytes that Node reads of a connection at once. */
const ONE_READ = 64 * 1024;
/**
 * What is held of one stream while it is in work: a read of its upstream; texts made of it, 16 KB each: what the reader of
 * events has, an event, the beginning and the end of the answer; what is not written yet; and its objects.
 */
const ONE_STREAM = ONE_READ + 5 * 16 * 1024 + 32 * 1024;
/** Megabytes of the heap with which the gateway lives: in the full measure as with bodies of all shapes. */
const HEAP = EFFORT >= 1 ? 512 : 256;
/** The young part of the heap may be full or empty, in any measure but the full one, where it counts. */
const YOUNG = EFFORT >= 1 ? 0 : 32 * MB;
/** Milliseconds after which memory has been given back: half a minute, and what it takes. */
const GIVEN_BACK = 39_000;
/** Code that only such a load runs. */
const COMPILED = 4 * MB;
/** Milliseconds. */
const HEALTHY = 100;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

function start(script: string, args: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: ['--expose-gc', `--max-old-space-size=${HEAP}`],
    // As in the Dockerfile and the unit of systemd: otherwise glibc keeps what was freed.
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '8192' },
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
  external: number;
  stretch: number;
  open: number;
}

type HealthCheck = [from: number, to: number, status: number];
interface HealthChecks {
  kept: HealthCheck[];
  fresh: HealthCheck[];
}

const timesOf = (checks: readonly HealthCheck[]) => checks.map(([from, to]) => to - from);

const nearlyAll = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)];

const inUse = ({ heapUsed, external }: Probe) => heapUsed + external;

const megabytes = (bytes: number) => `${(bytes / MB).toFixed(0)} MB`;

describe.skipIf(process.platform !== 'linux')('clients that never read', () => {
  it('are bounded in memory, delay no health check, and leave nothing behind', async () => {
    const flood = await startFlood(64 * MB);
    const healthPort = await freePort();
    const options = { limits: { streamBytes: STREAM_BYTES }, healthPort };
    const gateway = start('./probed-gateway.mjs', [flood.url, 'chat', JSON.stringify(options)]);
    const { url } = await heard<Probe>(gateway);
    const { port } = new URL(url);
    const tell = (word: string) => {
      const answer = heard<Probe>(gateway);
      gateway.send(word);
      return answer;
    };
    const round = async (which: 'first' | 'second') => {
      await tell('reset');
      const checks = start('./health-checks.mjs', [port]);
      await heard(checks);
      const apart = start('./health-checks.mjs', [String(healthPort)]);
      await heard(apart);
      const clients = start('./never-reading.mjs', [port, String(CLIENTS)]);
      await heard(clients);
      await wait(1000 * SECONDS);
      const { peak, open, stretch } = await tell('report');
      // Once, and before they leave: after that the gateway has to do it by itself.
      const held = which === 'first' ? inUse(await tell('collect')) : undefined;
      await tell('reset');
      const leftAt = performance.timeOrigin + performance.now();
      const left = heard(clients);
      clients.send('leave');
      await left;
      for (let tries = 0; tries < 150 && (await tell('report')).open > 0; tries++) await wait(100);
      // Health checks go on until the memory has been given back. In the small measure the second peak comes before that.
      const after =
        which === 'second' ? await settled() : EFFORT >= 1 ? await givenBack() : await tell('report');
      const told = Promise.all([heard<HealthChecks>(checks), heard<HealthChecks>(apart)]);
      for (const one of [checks, apart]) one.send('stop');
      const [{ kept, fresh }, own] = await told;
      const failed = [...kept, ...fresh, ...own.kept, ...own.fresh].filter(([, , status]) => status !== 200);
      // When they leave, the main thread lets go of them and collects garbage.
      const isBefore = ([from]: HealthCheck) => from < leftAt;
      return {
        kept: timesOf(kept.filter(isBefore)),
        fresh: timesOf(fresh.filter(isBefore)),
        /** On the port of their own, over a kept connection and over new ones, all of them. */
        apart: timesOf([...own.kept, ...own.fresh]),
        failed: failed.length,
        peak,
        held,
        open,
        after,
        stretch,
      };
    };
    const givenBack = async () => {
      await wait(GIVEN_BACK);
      return tell('report');
    };
    const isBack = ({ rss, heapUsed }: Probe) =>
      rss < 1.2 * atStart.rss + YOUNG && heapUsed < 1.2 * atStart.heapUsed + COMPILED + YOUNG;
    const settled = async () => {
      let after = await tell('report');
      for (const end = Date.now() + GIVEN_BACK; !isBack(after) && Date.now() < end; ) {
        await wait(500);
        after = await tell('report');
      }
      return after;
    };

    for (let n = 0; n < 500; n++) await askShort(url);
    await wait(1000);
    const atStart = await tell('collect');
    const first = await round('first');
    const second = await round('second');
    const { after: between, held = 0 } = first;
    const { after } = second;

    for (const [which, { kept, fresh, apart, peak, open, stretch, after }] of Object.entries({
      first,
      second,
    }))
      console.log(
        `${which}: ${CLIENTS} clients, ${open} open, ${megabytes(peak)} at most; slowest of ${apart.length} health checks on healthPort ${Math.max(...apart).toFixed(0)} ms (95 % within ${nearlyAll(apart)?.toFixed(0)}), of ${kept.length} on a kept connection ${Math.max(...kept).toFixed(0)} ms (95 % within ${nearlyAll(kept)?.toFixed(0)}), of ${fresh.length} on a new one ${Math.max(...fresh).toFixed(0)} ms (95 % within ${nearlyAll(fresh)?.toFixed(0)}), the longest stretch ${stretch.toFixed(0)} ms, and ${after.stretch.toFixed(0)} ms when they had left`,
      );
    console.log(
      `${megabytes(atStart.rss)} at the start, ${megabytes(between.rss)} after the first (${(between.rss / atStart.rss).toFixed(2)} times), ${megabytes(after.rss)} after the second (${(after.rss / atStart.rss).toFixed(2)} times); ${megabytes(held)} in use by the first, garbage aside; heap ${megabytes(atStart.heapUsed)}, ${megabytes(between.heapUsed)}, ${megabytes(after.heapUsed)}`,
    );
    expect(after.open).toBe(0);
    expect(held).toBeLessThan(inUse(atStart) + STREAM_BYTES + CLIENTS * ONE_STREAM);
    for (const one of EFFORT >= 1 ? [between, after] : [after]) {
      expect(one.rss).toBeLessThan(1.2 * atStart.rss + YOUNG);
      // Without what the memory allocator keeps, and with what the load compiled.
      expect(one.heapUsed).toBeLessThan(1.2 * atStart.heapUsed + COMPILED + YOUNG);
    }
    for (const { kept, apart, failed, peak, open, stretch } of [first, second]) {
      // As many as wait within the limit at the least: the system takes megabytes for each before it waits.
      expect(open).toBeGreaterThanOrEqual(
        Math.min(CLIENTS, Math.floor(STREAM_BYTES / (2 * STALLED_STREAM_BYTES))),
      );
      expect(open).toBeLessThanOrEqual(CLIENTS);
      // With garbage: all of the heap, and besides a read of each stream, and one that was worked on.
      expect(peak).toBeLessThan(atStart.rss + HEAP * MB + STREAM_BYTES + 2 * CLIENTS * ONE_READ);
      expect(failed).toBe(0);
      // In processor time, and by the clock: all checks on their own port in the full measure, which needs a machine of its
      // own, else nearly all, since the clients and the upstream share the machine. Those on the gateway's port are
      // behind thousands of others there: nearly all on a connection that is kept; new ones wait to be accepted.
      expect(stretch).toBeLessThan(HEALTHY);
      expect(EFFORT >= 1 ? Math.max(...apart) : nearlyAll(apart)).toBeLessThan(HEALTHY);
      expect(nearlyAll(kept)).toBeLessThan(HEALTHY);
    }
    await flood.close();
  }, 300_000);
});

async function askShort(url: string): Promise<void> {
  const body = '{"model":"short","stream":true,"messages":[{"role":"user","content":"hi"}]}';
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
  expect(await response.text()).toContain('[DONE]');
}
