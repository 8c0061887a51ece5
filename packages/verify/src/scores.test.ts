import { describe, expect, it } from 'vitest';
import type { Exchange } from './endpoint.js';
import { type ExchangeStore, readSuite, type VerifyReport, verifyEndpoint } from './index.js';
import { type Recorded, recordedAnswers } from './recorded.fixture.js';
import { wilson } from './scores.js';

function exchangeOf({ request, response }: Recorded): Exchange {
  const sent = { method: 'POST' as const, path: '/x', body: JSON.stringify(request), streamed: false };
  const text = JSON.stringify(response ?? { error: { message: 'overloaded' } });
  return { ...sent, status: response ? 200 : 500, type: 'application/json', pieces: [[5, text]] };
}

/** Judges recorded answers, against those of a reference. */
async function scoresOf(tested: readonly Recorded[], reference: readonly Recorded[]) {
  const kept = new Map<string, Exchange>();
  for (const [at, one] of tested.entries()) kept.set(`1.calls-tool.suite.${at + 1}.0`, exchangeOf(one));
  for (const [at, one] of reference.entries())
    kept.set(`reference.1.calls-tool.suite.${at + 1}.0`, exchangeOf(one));
  const store: ExchangeStore = { load: async (key) => kept.get(key), save: async () => {} };
  const suite = readSuite(tested.map(({ request }) => JSON.stringify(request)).join('\n'));
  const at = { url: 'http://localhost/v1', model: 'any' };
  let report: VerifyReport | undefined;
  for await (const event of verifyEndpoint({ ...at, suite, store, replay: true, reference: at }))
    if (event.type === 'report') report = event.report;
  return report?.scores;
}

describe('the scores of recorded answers', () => {
  // The numbers are those of K2 Vendor Verifier (its tool_calls_eval.py at 0bc5061, with Python's jsonschema 4.26) on the
  // same answers: success_count, finish_tool_calls, successful_tool_call_count, and TP, FP, FN, TN as its README has them.
  it('are those of K2 Vendor Verifier', async () => {
    const scores = await scoresOf(recordedAnswers(400, 7), recordedAnswers(400, 8));
    expect(scores?.counts).toEqual({
      requests: 400,
      answered: 378,
      triggered: 207,
      valid: 31,
      true_positive: 114,
      false_positive: 84,
      false_negative: 101,
      true_negative: 63,
    });
    expect(scores?.schema_accuracy?.value).toBeCloseTo(31 / 207, 12);
    expect(scores?.success_rate?.value).toBeCloseTo(378 / 400, 12);
    expect(scores?.trigger_precision?.value).toBeCloseTo(114 / 198, 12);
    expect(scores?.trigger_recall?.value).toBeCloseTo(114 / 215, 12);
    expect(scores?.trigger_f1).toBeCloseTo((2 * 114) / (2 * 114 + 84 + 101), 12);
    expect(scores?.trigger_against).toBe('reference');
  });

  it('are those of the same endpoint with the places exchanged', async () => {
    const scores = await scoresOf(recordedAnswers(400, 8), recordedAnswers(400, 7));
    expect(scores?.counts).toMatchObject({ answered: 383, triggered: 228, valid: 45, true_positive: 114 });
  });
});

describe('an interval by Wilson', () => {
  // Computed apart, by the formula of Wilson (1927).
  it.each([
    [0, 10, 0, 0.27753],
    [10, 10, 0.72247, 1],
    [8, 10, 0.49016, 0.94333],
    [98, 100, 0.92999, 0.9945],
  ])('of %i of %i goes from %f to %f', (hits, of, low, high) => {
    const rate = wilson(hits, of);
    expect(rate?.low).toBeCloseTo(low, 4);
    expect(rate?.high).toBeCloseTo(high, 4);
  });

  it('of nothing is none', () => {
    expect(wilson(0, 0)).toBeUndefined();
  });
});

it('an interval holds its share, to the last digit', () => {
  for (let of = 1; of < 700; of++) {
    expect(wilson(of, of)?.high).toBe(1);
    expect(wilson(0, of)?.low).toBe(0);
  }
});
