// Every fault by every API and way, and the full suite: verify.e2e.test.ts has a part of them.

import { describe, expect, it } from 'vitest';
import { failing, faultCases, foundBy, reportOf, served } from './faults/fault-cases.fixture.js';

it.each(faultCases)('by %s, %s: %s fails exactly the checks that name it', async (api, _, __, fault) => {
  const { ids, words } = await foundBy(api, fault);
  expect(ids, words).toEqual([...fault.fails].sort());
});

describe('the full suite', () => {
  it.each(served)('finds nothing wrong with a right endpoint by %s', async (api) => {
    const report = await reportOf({ api, suite: 'full' });
    expect(failing(report)).toEqual([]);
    expect(report.scores.counts.requests).toBe(600);
    const odd = report.checks.filter(({ status }) => status !== 'pass').map(({ id }) => id);
    expect(odd).toEqual(['prefix-cache']);
  });
});
