// CPU of a proxy for each request and each event, of its own process alone, without client and upstream.

import { setTimeout as sleep } from 'node:timers/promises';
import { Asker, bodyOf, type Size } from './gateway-client.js';
import { Process } from './gateway-process.js';
import type { AnswerContent, Manner } from './gateway-upstream-process.js';

/** A proxy and the requests it gets. */
export interface LoadArm {
  name: string;
  process: Process;
  model: string;
  tools: boolean;
  says: AnswerContent;
}

export interface Stand {
  upstream: Process;
  /** Bare: pipes, parses. */
  bare: LoadArm[];
  gateway: LoadArm[];
  stop(): Promise<void>;
}

export async function setUp(flags: string[] = []): Promise<Stand> {
  const upstream = await Process.start('gateway-upstream-process.js');
  const [pipe, parse, gateway] = await Promise.all([
    Process.start('gateway-pipe-process.js', [upstream.url]),
    Process.start('gateway-parse-process.js', [upstream.url]),
    Process.start('gateway-serve-process.js', [upstream.url], flags),
  ]);
  const plain = { model: 'chat', tools: false, says: 'prose' } as const;
  return {
    upstream,
    bare: [
      { name: 'piped', process: pipe, ...plain },
      { name: 'parsed', process: parse, ...plain },
    ],
    gateway: [
      { name: 'chat', process: gateway, ...plain },
      { name: 'chat, a call', process: gateway, ...plain, tools: true, says: 'call' },
      { name: 'native', process: gateway, ...plain, tools: true, model: 'native' },
    ],
    async stop() {
      for (const process of [gateway, parse, pipe, upstream]) await process.stop();
    },
  };
}

export interface RequestLoad {
  size: Size;
  stream: boolean;
  /** Requests at once, and in all. */
  streams: number;
  requests: number;
}

/** Microseconds a request. */
export async function requestCost({ upstream }: Stand, arm: LoadArm, load: RequestLoad): Promise<number> {
  await behave(upstream, { hold: false, says: arm.says });
  const body = bodyOf(arm.model, load.size, arm.tools, load.stream);
  const asker = new Asker(arm.process.url);
  // Connections are made before, as agents keep theirs.
  await askAll(asker, body, load.streams, load.streams);
  const before = await arm.process.cpu();
  await askAll(asker, body, load.requests, load.streams);
  const spent = (await arm.process.cpu()) - before;
  await asker.close();
  return spent / load.requests;
}

async function askAll(asker: Asker, body: string, requests: number, atOnce: number): Promise<void> {
  let left = requests;
  const ask = async () => {
    while (left-- > 0) await asker.whole(body);
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
}

export interface EventLoad {
  streams: number;
  /** Events in one write of the upstream. */
  batch: number;
  rounds: number;
}

/** Microseconds an event: one write to each stream, and the next when all have received it. */
export async function eventCost(stand: Stand, arm: LoadArm, load: EventLoad): Promise<number> {
  const asker = await openStreams(stand, arm, load.streams);
  await writeRounds(stand, asker, load.streams, load.batch, 2);
  const before = await arm.process.cpu();
  await writeRounds(stand, asker, load.streams, load.batch, load.rounds);
  const spent = (await arm.process.cpu()) - before;
  asker.leave();
  await asker.close();
  await allClosed(stand);
  return spent / (load.streams * load.batch * load.rounds);
}

/** Streams that have received their first event, and then nothing. */
export async function openStreams(stand: Stand, arm: LoadArm, streams: number): Promise<Asker> {
  await behave(stand.upstream, { hold: true, says: arm.says });
  const asker = new Asker(arm.process.url);
  const body = bodyOf(arm.model, 'small', arm.tools, true);
  for (let stream = 0; stream < streams; stream++) asker.open(body);
  await asker.begun(streams);
  if (asker.count.begun !== streams || asker.count.errors > 0)
    throw new Error(`${arm.name}: ${asker.count.begun} of ${streams} streams began`);
  return asker;
}

export async function writeRounds(
  { upstream }: Stand,
  asker: Asker,
  streams: number,
  batch: number,
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const want = asker.count.events + streams * batch;
    await upstream.ask('write', batch);
    if (!(await asker.until(want)))
      throw new Error(`Of ${streams * batch} events ${want - asker.count.events} did not arrive.`);
  }
}

/** Nobody writes to a stream that was left. */
export async function allClosed({ upstream }: Stand): Promise<void> {
  for (let waits = 0; (await upstream.ask<number>('open')) > 0; waits++) {
    if (waits > 100) throw new Error('Streams that were left are still open upstream.');
    await sleep(20);
  }
}

function behave(upstream: Process, manner: Manner): Promise<void> {
  return upstream.ask('behave', manner);
}
