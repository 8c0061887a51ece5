// Loads for one gateway of one process or of two: thousands of streams at once, and as many requests as it can answer.

import { setTimeout as sleep } from 'node:timers/promises';
import { newSession } from './agent-requests.js';
import { Asker, bodyOf } from './gateway-client.js';
import { Process } from './gateway-process.js';

export interface HerdArm {
  name: string;
  process: Process;
  model: string;
  tools: boolean;
}

export interface HerdStand {
  upstream: Process;
  floor: HerdArm;
  one: HerdArm;
  two: HerdArm;
  stop(): Promise<void>;
}

export async function setUpHerd(): Promise<HerdStand> {
  const upstream = await Process.start('gateway-upstream-process.js');
  const [parse, one, two] = await Promise.all([
    Process.start('gateway-parse-process.js', [upstream.url]),
    Process.start('gateway-serve-process.js', [upstream.url, '1']),
    Process.start('gateway-serve-process.js', [upstream.url, '2']),
  ]);
  const arm = (name: string, process: Process, tools = true): HerdArm => ({
    name,
    process,
    model: 'chat',
    tools,
  });
  return {
    upstream,
    floor: arm('parsed', parse),
    one: arm('one worker', one),
    two: arm('two workers', two),
    async stop() {
      for (const process of [two, one, parse, upstream]) await process.stop();
    },
  };
}

export interface Herd {
  /** Streams that began, and those that failed. */
  begun: number;
  errors: number;
  /** Milliseconds from the opening of all to the first byte of one. */
  median: number;
  p99: number;
  most: number;
}

/** Opens so many streams at once, each on a connection of its own. */
export async function herd({ upstream }: HerdStand, arm: HerdArm, streams: number): Promise<Herd> {
  await upstream.ask('behave', { hold: true, says: 'prose' });
  const asker = new Asker(arm.process.url);
  const body = bodyOf(arm.model, 'small', arm.tools, true);
  const times: number[] = [];
  const began = performance.now();
  for (let stream = 0; stream < streams; stream++)
    asker.open(
      body,
      firstOf(() => times.push(performance.now() - began)),
    );
  await asker.begun(streams);
  const { begun, errors } = asker.count;
  asker.leave();
  await asker.close();
  for (let waits = 0; (await upstream.ask<number>('open')) > 0 && waits < 500; waits++) await sleep(20);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return { begun, errors, median: at(0.5), p99: at(0.99), most: at(1) };
}

function firstOf(tell: () => void): () => void {
  let isFirst = true;
  return () => {
    if (isFirst) tell();
    isFirst = false;
  };
}

export interface Throughput {
  /** Requests a second. */
  rate: number;
  /** Microseconds of CPU a request, of all processes of the gateway. */
  cpu: number;
}

/** Sessions of agents, each with tools of its own. */
const SESSIONS = 32;
const AT_ONCE = 16;

/** Requests of agents, a few at a time, for so many milliseconds: the work of the gateway, and little of others. */
export async function throughput({ upstream }: HerdStand, arm: HerdArm, time: number): Promise<Throughput> {
  await upstream.ask('behave', { hold: false, says: 'prose', blind: true });
  const asker = new Asker(arm.process.url);
  const bodies = Array.from({ length: SESSIONS }, (_, at) =>
    newSession({ model: arm.model, stream: true }, `session ${at}`),
  );
  let count = 0;
  const before = await cpuOf(arm);
  const began = performance.now();
  const ask = async () => {
    while (performance.now() - began < time) await asker.whole(bodies[count++ % SESSIONS] as string);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  const seconds = (performance.now() - began) / 1000;
  const cpu = (await cpuOf(arm)) - before;
  await asker.close();
  return { rate: count / seconds, cpu: (cpu * 1e6) / count };
}

/** Seconds of CPU of all processes of a gateway, as its metrics give them. */
async function cpuOf({ process }: HerdArm): Promise<number> {
  const text = await (await fetch(`${process.url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (.*)$/m.exec(text)?.[1] ?? Number.NaN);
}
