import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../observability/metrics.js';
import { type ProcessValues, SharedMetrics } from './shared-metrics.js';

/** A worker that has answered so many requests, and has so many open streams. */
async function valuesOf(requests: number, open = 0): Promise<ProcessValues> {
  const metrics = createMetrics({ process: false });
  for (let at = 0; at < requests + open; at++) {
    const watch = metrics.begin({ id: String(at), api: 'chat' });
    watch?.model?.({ name: 'm', upstream: 'u', dialect: 'hermes' });
    if (at >= requests) watch?.event?.({ type: 'request', request: { stream: true } } as never);
    else watch?.end?.({ status: 200 });
  }
  return { own: await metrics.values() };
}

function read(text: string, name: string): number {
  const lines = text.split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('the metrics of several workers', () => {
  it('are sums, histograms included', async () => {
    const shared = new SharedMetrics();
    const answers = new Map([
      [1, await valuesOf(3, 1)],
      [2, await valuesOf(4, 2)],
    ]);
    const text = await shared.render(answers);
    expect(read(text, 'dragoman_requests_total')).toBe(7);
    expect(read(text, 'dragoman_streams_open')).toBe(3);
    expect(read(text, 'dragoman_request_seconds_count')).toBe(7);
    const buckets = text.split('\n').filter((line) => line.startsWith('dragoman_request_seconds_bucket'));
    expect(buckets.at(-1)).toContain('le="+Inf"');
    expect(buckets.at(-1)).toMatch(/ 7$/);
    expect(read(text, 'dragoman_workers ')).toBe(2);
  });

  it('keep the counters of one that ended or does not answer, and leave out its gauges', async () => {
    const shared = new SharedMetrics();
    const both = new Map([
      [1, await valuesOf(3, 1)],
      [2, await valuesOf(4, 2)],
    ]);
    await shared.render(both);
    const silent = await shared.render(new Map([...both, [2, undefined]]));
    expect(read(silent, 'dragoman_requests_total')).toBe(7);
    expect(read(silent, 'dragoman_streams_open')).toBe(1);
    expect(read(silent, 'dragoman_workers_silent ')).toBe(1);
    shared.end(2);
    const ended = await shared.render(new Map([[1, await valuesOf(5, 1)]]));
    expect(read(ended, 'dragoman_requests_total')).toBe(9);
    expect(read(ended, 'dragoman_request_seconds_count')).toBe(9);
    expect(read(ended, 'dragoman_streams_open')).toBe(1);
  });

  it('never count fewer than before, whatever workers do', async () => {
    const step = fc.record({
      worker: fc.integer({ min: 1, max: 3 }),
      does: fc.constantFrom('answers', 'reports', 'ends', 'is silent'),
      requests: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const shared = new SharedMetrics();
        const requests = new Map<number, number>();
        let before = 0;
        for (const { worker, does, requests: more } of steps) {
          requests.set(worker, (requests.get(worker) ?? 0) + more);
          const values = await valuesOf(requests.get(worker) ?? 0);
          if (does === 'reports') shared.keep(worker, values);
          if (does === 'ends') {
            shared.end(worker);
            requests.delete(worker);
          }
          const answers = new Map([[worker, does === 'answers' ? values : undefined]]);
          const counted = read(
            await shared.render(does === 'ends' ? new Map() : answers),
            'dragoman_requests_total',
          );
          expect(counted).toBeGreaterThanOrEqual(before);
          before = counted;
        }
      }),
      { numRuns: 20 },
    );
  });
});
