// Costs of streams besides their events: memory of idle streams, latency, and disconnecting clients.

import { setTimeout as sleep } from 'node:timers/promises';
import { Asker, bodyOf } from './gateway-client.js';
import { allClosed, type LoadArm, openStreams, type Stand, writeRounds } from './gateway-load.js';
import type { Use } from './gateway-process.js';

export interface IdleMemory {
  /** Bytes a stream, after a full collection. */
  heap: number;
  rss: number;
}

export async function idleMemory(stand: Stand, arm: LoadArm, streams: number): Promise<IdleMemory> {
  const before = await arm.process.ask<Use>('collect');
  const asker = await openStreams(stand, arm, streams);
  const { heap, rss } = await arm.process.ask<Use>('collect');
  asker.leave();
  await asker.close();
  await allClosed(stand);
  return { heap: (heap - before.heap) / streams, rss: (rss - before.rss) / streams };
}

export interface Paced {
  streams: number;
  completed: number;
  errors: number;
  /** Events that carry the time they were written. */
  events: number;
  /** Milliseconds from the upstream's write to the client. */
  median: number;
  p99: number;
  most: number;
  /** Microseconds of CPU an event. */
  cpu: number;
}

/** Each stream an event a second. */
export async function paced(stand: Stand, arm: LoadArm, streams: number, seconds: number): Promise<Paced> {
  await stand.upstream.ask('behave', { hold: true, says: arm.says });
  const asker = new Asker(arm.process.url);
  const lags: number[] = [];
  const look = (bytes: Buffer) => {
    const now = Date.now();
    for (const [, at] of bytes.toString('latin1').matchAll(/t=(\d{13});/g)) lags.push(now - Number(at));
  };
  const body = bodyOf(arm.model, 'small', arm.tools, true);
  for (let stream = 0; stream < streams; stream++) asker.open(body, look);
  await asker.begun(streams);
  const before = await arm.process.cpu();
  await stand.upstream.ask('pace', { seconds });
  const cpu = ((await arm.process.cpu()) - before) / (streams * seconds);
  await stand.upstream.ask('end');
  await allClosed(stand);
  await asker.settled();
  await asker.close();
  lags.sort((a, b) => a - b);
  const at = (share: number) => lags[Math.min(lags.length - 1, Math.floor(share * lags.length))] ?? 0;
  const { ended: completed, errors } = asker.count;
  return {
    streams,
    completed,
    errors,
    events: lags.length,
    median: at(0.5),
    p99: at(0.99),
    most: at(1),
    cpu,
  };
}

/** Microseconds of CPU for each stream whose client disconnects after so many events. */
export async function leavingCost(
  stand: Stand,
  arm: LoadArm,
  streams: number,
  events: number,
): Promise<number> {
  const asker = await openStreams(stand, arm, streams);
  await writeRounds(stand, asker, streams, 10, events / 10);
  await arm.process.ask('collect');
  const before = await arm.process.cpu();
  asker.leave();
  await allClosed(stand);
  await sleep(50);
  const spent = (await arm.process.cpu()) - before;
  await asker.close();
  return spent / streams;
}
