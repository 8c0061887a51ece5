// Loads for one gateway of one process or of two: thousands of streams at once, and as many requests as it can answer.

import { setTimeout as sleep } from 'node:timers/promises';
import { newSession } from './agent-requests.js';
import { bodyOf } from './gateway-client.js';
import { Process } from './gateway-process.js';
import { OpenStreams, requestOf, WholeStreams } from './herd-client.js';

export interface HerdArm {
  name: string;
  process: Process;
  /** Processes that answer. */
  workers: number;
  model: string;
  tools: boolean;
}

export interface HerdStand {
  model: Process;
  floor: HerdArm;
  one: HerdArm;
  two: HerdArm;
  stop(): Promise<void>;
}

export async function setUpHerd(): Promise<HerdStand> {
  const model = await Process.start('herd-model-process.js');
  const [parse, one, two] = await Promise.all([
    Process.start('gateway-parse-process.js', [model.url]),
    Process.start('gateway-serve-process.js', [model.url, '1']),
    Process.start('gateway-serve-process.js', [model.url, '2']),
  ]);
  const arm = (name: string, process: Process, workers: number): HerdArm => ({
    name,
    process,
    workers,
    model: 'chat',
    tools: true,
  });
  return {
    model,
    floor: arm('parsed', parse, 1),
    one: arm('one worker', one, 1),
    two: arm('two workers', two, 2),
    async stop() {
      for (const process of [two, one, parse, model]) await process.stop();
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
export async function herd({ model }: HerdStand, arm: HerdArm, streams: number): Promise<Herd> {
  await model.ask('behave', { hold: true });
  const herd = new OpenStreams();
  const request = requestOf(arm.process.url, bodyOf(arm.model, 'small', arm.tools, true));
  const times: number[] = [];
  const began = performance.now();
  for (let stream = 0; stream < streams; stream++)
    herd.open(arm.process.url, request, () => times.push(performance.now() - began));
  for (let quiet = 0, seen = 0; herd.begun + herd.errors < streams && quiet < 2000; quiet++) {
    if (herd.begun > seen) quiet = 0;
    seen = herd.begun;
    await sleep(10);
  }
  const { begun, errors } = herd;
  herd.leave();
  for (let waits = 0; (await model.ask<number>('open')) > 0 && waits < 500; waits++) await sleep(20);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return { begun, errors, median: at(0.5), p99: at(0.99), most: at(1) };
}

export interface Throughput {
  requests: number;
  /** Requests a second. */
  rate: number;
  /** Microseconds of CPU a request, of all processes of the gateway. */
  cpu: number;
}

/** Sessions of agents, each with tools of its own. */
const SESSIONS = 32;
const AT_ONCE = 16;

/** Requests of agents, a few at a time, for so many milliseconds: the work of the gateway, and little of others. */
export async function throughput({ model }: HerdStand, arm: HerdArm, time: number): Promise<Throughput> {
  await model.ask('behave', { hold: false });
  const { url } = arm.process;
  const requests = Array.from({ length: SESSIONS }, (_, at) =>
    requestOf(url, newSession({ model: arm.model, stream: true }, `session ${at}`)),
  );
  const askers = await Promise.all(Array.from({ length: AT_ONCE }, () => new WholeStreams(url).connected()));
  let count = 0;
  const before = await cpuOf(arm);
  const began = performance.now();
  const ask = async (asker: WholeStreams) => {
    while (performance.now() - began < time) await asker.ask(requests[count++ % SESSIONS] as Buffer);
  };
  await Promise.all(askers.map(ask));
  const seconds = (performance.now() - began) / 1000;
  const cpu = (await cpuOf(arm)) - before;
  for (const asker of askers) asker.leave();
  return { requests: count, rate: count / seconds, cpu: (cpu * 1e6) / count };
}

/** Seconds of CPU of all processes of a gateway, as its metrics give them. */
async function cpuOf({ process }: HerdArm): Promise<number> {
  const text = await (await fetch(`${process.url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (.*)$/m.exec(text)?.[1] ?? Number.NaN);
}
