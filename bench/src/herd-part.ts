// The part of the bench about several processes: first bytes when thousands of streams are opened at once, and requests
// a second, of one worker and of two.

import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Herd,
  type HerdArm,
  type HerdStand,
  herd,
  setUpHerd,
  type Throughput,
  throughput,
} from './herd-load.js';
import * as limits from './limits.js';
import { median } from './measure.js';
import { type CheckLimit, heading, note, progress, table, times } from './report.js';

export async function herdPart(hold: CheckLimit, quick: boolean) {
  const stand = await setUpHerd();
  try {
    // Herds last: the memory of one is given back half a minute later, and optimized functions with it.
    const measured = await rates(stand, hold, quick);
    return { rates: measured, herds: await herds(stand, hold, quick) };
  } finally {
    await stand.stop();
  }
}

/** Gives the results of each arm; arms take turns, so that a slow moment hits all of them. */
async function inTurns<T>(
  arms: readonly HerdArm[],
  rounds: number,
  run: (arm: HerdArm) => Promise<T>,
): Promise<Map<string, T[]>> {
  const results = new Map<string, T[]>(arms.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const arm of round % 2 ? arms.toReversed() : arms) {
      progress(`herd: ${arm.name}, round ${round + 1} of ${rounds}`);
      results.get(arm.name)?.push(await run(arm));
    }
  return results;
}

const seconds = (value: number) => `${(value / 1000).toFixed(2)} s`;

async function herds(stand: HerdStand, hold: CheckLimit, quick: boolean) {
  const streams = quick ? 500 : 3000;
  const arms = [stand.floor, stand.one, stand.two];
  progress('herd: warming up');
  // As a gateway that has run for a while: cold, a stream costs several times as much, in each process.
  for (const arm of arms)
    for (let round = 0; round < (quick ? 2 : 4) * arm.workers; round++) await herd(stand, arm, streams);
  const results = await inTurns(arms, quick ? 1 : 5, (arm) => herd(stand, arm, streams));
  heading(`${streams} streams opened at once: first byte, the median of several rounds`);
  const middle = (name: string, of: (one: Herd) => number) => median((results.get(name) ?? []).map(of));
  const floor = middle('parsed', ({ p99 }) => p99);
  table(
    ['', 'median', '99 of 100', '÷ parsed', 'most', 'failed'],
    arms.map(({ name }) => [
      name,
      seconds(middle(name, ({ median }) => median)),
      seconds(middle(name, ({ p99 }) => p99)),
      times(middle(name, ({ p99 }) => p99) / floor),
      seconds(middle(name, ({ most }) => most)),
      String(middle(name, ({ errors }) => errors)),
    ]),
  );
  note('Client, model and proxy share the machine.');
  hold(
    'first byte of a herd, two workers ÷ parsed',
    middle('two workers', ({ p99 }) => p99) / floor,
    limits.HERD_TO_PARSED,
    times,
  );
  const quiet = quick ? undefined : await afterQuiet(stand, arms, streams);
  const failed = [...results.values(), ...(quiet?.values() ?? [])]
    .flat()
    .reduce((sum, { begun, errors }) => sum + streams - begun + errors, 0);
  hold('streams of herds that failed', failed, 0, String);
  return { warm: Object.fromEntries(results), ...(quiet && { quiet: Object.fromEntries(quiet) }) };
}

/** Milliseconds after which the gateway has given the memory of a herd back, and optimized functions with it. */
const QUIET = 40_000;

/** The same after a quiet time each, which costs the gateway more: shown and not held. */
async function afterQuiet(stand: HerdStand, arms: readonly HerdArm[], streams: number) {
  const results = await inTurns(arms, 3, async (arm) => {
    if (arm === arms[0]) await sleep(QUIET);
    return herd(stand, arm, streams);
  });
  const p99 = (name: string) => median((results.get(name) ?? []).map((one) => one.p99));
  const said = arms.map(({ name }) => `${name} ${seconds(p99(name))} (${times(p99(name) / p99('parsed'))})`);
  note(`After 40 s without a request, 99 of 100: ${said.join(', ')}.`);
  return results;
}

/** Requests of an agent to each process before it is measured: until then its cost for one falls from round to round. */
const WARM = 3000;

async function rates(stand: HerdStand, hold: CheckLimit, quick: boolean) {
  const arms = [stand.one, stand.two];
  progress('throughput: warming up');
  for (const arm of arms)
    for (let warm = 0; warm < (quick ? 100 : WARM) * arm.workers; )
      warm += (await throughput(stand, arm, quick ? 1000 : 4000)).requests;
  const results = await inTurns(arms, quick ? 1 : 5, (arm) => throughput(stand, arm, quick ? 2000 : 4000));
  heading('Requests of an agent (198 KB, 60 tools) a second, the median of several rounds');
  const middle = (name: string, of: (one: Throughput) => number) => median((results.get(name) ?? []).map(of));
  const rate = (name: string) => middle(name, (one) => one.rate);
  const cpu = (name: string) => middle(name, (one) => one.cpu);
  const ratio = rate('two workers') / rate('one worker');
  table(
    ['', 'a second', '÷ one worker', 'CPU a request'],
    arms.map(({ name }) => [
      name,
      rate(name).toFixed(1),
      times(rate(name) / rate('one worker')),
      `${(cpu(name) / 1000).toFixed(2)} ms`,
    ]),
  );
  if (availableParallelism() < 3) note('Client and model take their part of the two cores.');
  // Held as a share: a limit is the most that a value may be.
  hold('time of a request, two workers ÷ one', 1 / ratio, limits.TWO_WORKERS, times);
  return Object.fromEntries(results);
}
