// What watching costs, as ratios: against writing the same events out once as JSON, measured in the same run.

import type { BridgeEvent } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import type { Watcher } from '../services.js';
import { call, run } from './exchange.fixture.js';
import { createInspector } from './inspector.js';
import { createMetrics } from './metrics.js';
import { createTraces } from './traces.js';
import { joinWatchers } from './watchers.js';

async function eventsOfOne(): Promise<BridgeEvent[]> {
  const events: BridgeEvent[] = [];
  const watcher = { begin: () => ({ event: (event: BridgeEvent) => void events.push(event) }) };
  await run(watcher, { replies: [`${'Some words. '.repeat(300)}${call('Rome')}`], body: { stream: true } });
  return events;
}

function replay(watcher: Watcher, events: readonly BridgeEvent[]): void {
  const watch = watcher.begin({ id: 'req_1', api: 'chat' });
  watch?.model?.({ name: 'wise', upstream: 'local', dialect: 'hermes' });
  for (const event of events) watch?.event?.(event);
  watch?.firstByte?.();
  watch?.end?.({ status: 200 });
}

describe('watching', () => {
  it('costs nothing with everything off: no watch is made, no event is told', async () => {
    const off = joinWatchers([createInspector(0), createTraces({})]);
    expect(off.begin({ id: 'x', api: 'chat' })).toBeUndefined();
    let told = 0;
    const counting: Watcher = { begin: (exchange) => off.begin(exchange) && { event: () => void told++ } };
    await run(counting, { replies: [call('Rome')] });
    expect(told).toBe(0);
  });

  it('costs a fraction of writing the events out', async () => {
    const events = await eventsOfOne();
    expect(events.length).toBeGreaterThan(500);
    const twenty = (work: () => void) => () => {
      for (let n = 0; n < 20; n++) work();
    };
    const written = twenty(() => void events.map((event) => JSON.stringify(event)));
    const cost = (watcher: Watcher, limit: number) =>
      timesTheCost(
        twenty(() => replay(watcher, events)),
        written,
        { limit },
      );
    const traces = createTraces({ endpoint: 'http://127.0.0.1:1', queue: 1 });
    expect(cost(joinWatchers([createMetrics({ process: false })]), 0.5)).toBeLessThan(0.5);
    expect(cost(joinWatchers([traces]), 0.5)).toBeLessThan(0.5);
    expect(cost(createInspector(10), 1.5)).toBeLessThan(1.5);
    await traces.close();
  });
});
