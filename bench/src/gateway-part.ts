// The part of the bench about the gateway: what is measured, the tables, and the limits.

import type { Size } from './gateway-client.js';
import {
  type EventLoad,
  eventCost,
  type LoadArm,
  type RequestLoad,
  requestCost,
  type Stand,
  setUp,
} from './gateway-load.js';
import { idleMemory, leavingCost, paced } from './gateway-streams.js';
import * as limits from './limits.js';
import { type CheckLimit, heading, kb, note, progress, table, times, worst } from './report.js';

interface GatewayCell {
  name: string;
  /** Microseconds of each arm. */
  costs: Map<string, number>;
}

export async function gatewayPart(hold: CheckLimit, quick: boolean) {
  const stand = await setUp(process.env.BENCH_GATEWAY_FLAGS?.split(' ') ?? []);
  try {
    progress('gateway: warming up');
    await warmUp(stand, quick);
    return {
      requests: await requests(stand, hold, quick),
      events: await events(stand, hold, quick),
      memory: await memory(stand, quick),
      leaving: await leaving(stand, hold, quick),
      paced: await pacing(stand, hold, quick),
    };
  } finally {
    await stand.stop();
  }
}

const arms = ({ bare, gateway }: Stand) => [...bare, ...gateway];

/** Long enough for the bare ones, too: cold, they cost several times as much, and make the gateway look cheap. */
async function warmUp(stand: Stand, quick: boolean): Promise<void> {
  for (const arm of arms(stand)) {
    for (const stream of [false, true])
      await requestCost(stand, arm, { size: 'small', stream, streams: 20, requests: quick ? 1000 : 2000 });
    await requestCost(stand, arm, { size: '60 KB', stream: true, streams: 10, requests: quick ? 50 : 100 });
    for (const batch of [1, 16]) await eventCost(stand, arm, { streams: 20, batch, rounds: 30 });
  }
}

/** The best of each arm; arms take turns, so that a slow moment hits all of them. */
async function race(
  stand: Stand,
  name: string,
  rounds: number,
  run: (arm: LoadArm) => Promise<number>,
): Promise<GatewayCell> {
  progress(`gateway: ${name}`);
  const costs = new Map<string, number>();
  for (let round = 0; round < rounds; round++)
    for (const arm of round % 2 ? arms(stand).toReversed() : arms(stand))
      costs.set(arm.name, Math.min(costs.get(arm.name) ?? Number.POSITIVE_INFINITY, await run(arm)));
  return { name, costs };
}

const micro = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} µs`;

function show(stand: Stand, cells: readonly GatewayCell[]): void {
  const parsed = (cell: GatewayCell) => cell.costs.get('parsed') ?? 0;
  table(
    ['', 'piped', 'parsed', ...stand.gateway.flatMap(({ name }) => [name, '÷ parsed'])],
    cells.map((cell) => [
      cell.name,
      ...stand.bare.map(({ name }) => micro(cell.costs.get(name) ?? 0)),
      ...stand.gateway.flatMap(({ name }) => {
        const cost = cell.costs.get(name) ?? 0;
        return [micro(cost), times(cost / parsed(cell))];
      }),
    ]),
  );
}

/** The worst of a way through the gateway, over all cells. */
function holdAll(stand: Stand, cells: readonly GatewayCell[], what: string, hold: CheckLimit): void {
  for (const { name } of stand.gateway) {
    const ratio = ({ costs }: GatewayCell) => (costs.get(name) ?? 0) / (costs.get('parsed') ?? 1);
    const most = worst(cells, ratio);
    hold(
      `${what} through the gateway (${name}) ÷ parsed`,
      ratio(most),
      limits.GATEWAY_TO_PARSED,
      times,
      ` (${most.name})`,
    );
  }
}

/** The most of the largest only once: whole answers cost as streamed ones do. */
function requestCells(quick: boolean): Pick<RequestLoad, 'size' | 'stream' | 'streams'>[] {
  const sizes: Size[] = ['small', '60 KB'];
  const all = sizes.flatMap((size) =>
    [false, true].flatMap((stream) => [1, 100, 1000].map((streams) => ({ size, stream, streams }))),
  );
  return all.filter(({ size, stream, streams }) =>
    quick ? stream && streams < 1000 : size === 'small' || stream || streams < 1000,
  );
}

async function requests(stand: Stand, hold: CheckLimit, quick: boolean): Promise<GatewayCell[]> {
  heading(
    'A request through the gateway, by its body and how many are asked at once: CPU of the proxy alone',
  );
  const cells: GatewayCell[] = [];
  for (const { size, stream, streams } of requestCells(quick)) {
    const most = quick || size === '60 KB' ? 150 : 600;
    const load: RequestLoad = { size, stream, streams, requests: Math.max(streams, most) };
    const name = `${size}, ${stream ? 'streamed' : 'whole'}, ${streams} at once`;
    const rounds = quick || (size === '60 KB' && streams === 1000) ? 1 : 2;
    cells.push(await race(stand, name, rounds, (arm) => requestCost(stand, arm, load)));
  }
  show(stand, cells);
  note('Parsed: node:http, undici, eventsource-parser, JSON.parse and JSON.stringify, and nothing else.');
  holdAll(stand, cells, 'a request', hold);
  return cells;
}

const ROUNDS = new Map([
  [1, 1000],
  [100, 40],
  [1000, 8],
]);

async function events(stand: Stand, hold: CheckLimit, quick: boolean): Promise<GatewayCell[]> {
  heading('An event through the gateway, by streams and events in a write: CPU of the proxy alone');
  const cells: GatewayCell[] = [];
  for (const batch of [1, 16])
    for (const [streams, most] of ROUNDS) {
      if (quick && streams === 1000) continue;
      const rounds = Math.ceil(most / (batch === 1 ? 1 : 4) / (quick ? 2 : 1));
      const load: EventLoad = { streams, batch, rounds };
      const name = `${streams} ${streams === 1 ? 'stream' : 'streams'}, ${batch} a write`;
      cells.push(await race(stand, name, quick ? 1 : 2, (arm) => eventCost(stand, arm, load)));
    }
  show(stand, cells);
  note('Each write arrives by itself: the next one waits until all streams have received it.');
  holdAll(stand, cells, 'an event', hold);
  return cells;
}

async function memory(stand: Stand, quick: boolean) {
  const streams = quick ? 200 : 1000;
  heading(`Memory of a stream in which nothing happens, of ${streams}`);
  const results = [];
  for (const arm of arms(stand)) {
    progress(`gateway, memory: ${arm.name}`);
    results.push({ name: arm.name, ...(await idleMemory(stand, arm, streams)) });
  }
  table(
    ['', 'heap', 'RSS'],
    results.map(({ name, heap, rss }) => [name, kb(heap), kb(rss)]),
  );
  return results;
}

/** As many events as in one second and in ten, of a model that writes fifty a second. */
const SHORT = 50;
const LONG = 500;

async function leaving(stand: Stand, hold: CheckLimit, quick: boolean) {
  heading(
    `A client that leaves after ${SHORT} events and after ${LONG}: CPU of the proxy alone, of 100 each`,
  );
  const results: { name: string; early: number; late: number; ratio: number }[] = [];
  for (const arm of arms(stand)) {
    progress(`gateway, leaving: ${arm.name}`);
    let early = Number.POSITIVE_INFINITY;
    let late = Number.POSITIVE_INFINITY;
    for (let round = 0; round < (quick ? 2 : 3); round++) {
      early = Math.min(early, await leavingCost(stand, arm, 100, SHORT));
      late = Math.min(late, await leavingCost(stand, arm, 100, LONG));
    }
    results.push({ name: arm.name, early, late, ratio: late / early });
  }
  table(
    ['', `after ${SHORT}`, `after ${LONG}`, 'ratio'],
    results.map(({ name, early, late, ratio }) => [name, micro(early), micro(late), times(ratio)]),
  );
  const ours = results.filter(({ name }) => stand.gateway.some((arm) => arm.name === name));
  const most = worst(ours, ({ ratio }) => ratio);
  hold('leaving late ÷ leaving early', most.ratio, limits.LEAVING_LATE, times, ` (${most.name})`);
  return results;
}

async function pacing(stand: Stand, hold: CheckLimit, quick: boolean) {
  const streams = quick ? 500 : 3000;
  const seconds = quick ? 3 : 6;
  heading(`${streams} streams with an event a second each, for ${seconds} seconds`);
  const results = [];
  for (const arm of quick
    ? stand.gateway.slice(0, 1)
    : [...stand.bare.slice(1), ...stand.gateway.slice(0, 1)]) {
    progress(`gateway, paced: ${arm.name}`);
    results.push({ name: arm.name, ...(await paced(stand, arm, streams, seconds)) });
  }
  table(
    ['', 'completed', 'errors', 'events', 'median lag', '99 of 100', 'most', 'CPU an event'],
    results.map((one) => [
      one.name,
      String(one.completed),
      String(one.errors),
      String(one.events),
      `${one.median} ms`,
      `${one.p99} ms`,
      `${one.most} ms`,
      micro(one.cpu),
    ]),
  );
  note('Lag is wall time, of model, proxy and client on one machine: for information.');
  const [{ completed, errors, events } = { completed: 0, errors: 0, events: 0 }] = results.slice(-1);
  hold('paced streams that failed or never ended', streams - completed + errors, 0, String);
  hold('events of theirs that were lost', streams * seconds - events, 0, String);
  return results;
}
