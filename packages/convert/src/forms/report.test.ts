import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Note } from './form.js';
import { Report } from './report.js';

const path = fc.constantFrom('messages[0]', 'messages[1].parts[2]', 'tools[0]');
const note: fc.Arbitrary<Note> = fc.oneof(
  fc.record({
    kind: fc.constant('repair' as const),
    code: fc.constantFrom('comment' as const, 'missing-id' as const),
    path,
  }),
  fc.record({
    kind: fc.constant('issue' as const),
    code: fc.constantFrom('missing-id' as const, 'frame-text' as const),
    path,
  }),
  fc.record({
    kind: fc.constant('loss' as const),
    code: fc.constantFrom('media' as const, 'extra' as const),
    path,
  }),
);
const row = fc.record({ notes: fc.array(note, { maxLength: 4 }), calls: fc.nat(3) });

function reportOf(rows: readonly { notes: Note[]; calls: number }[], first: number): Report {
  const report = new Report();
  for (const [at, one] of rows.entries()) report.add(one, first + at);
  return report;
}

function merged(...reports: Report[]): Report {
  const whole = new Report();
  for (const report of reports) whole.merge(JSON.parse(JSON.stringify(report)));
  return whole;
}

describe('a report', () => {
  it('counts rows, calls and notes by code, with the first place of each', () => {
    const report = new Report();
    report.add({ calls: 2, notes: [{ kind: 'loss', code: 'media', path: 'messages[0].parts[1]' }] }, 1);
    report.add({ calls: 1, notes: [{ kind: 'loss', code: 'media', path: 'messages[4].parts[0]' }] }, 2);
    report.add({ calls: 0, notes: [{ kind: 'repair', code: 'missing-id', path: 'messages[1]' }] }, 3);
    report.addBad();
    expect(report.toJSON()).toEqual({
      rows: 3,
      badRows: 1,
      calls: 3,
      repairs: { 'missing-id': { count: 1, example: { row: 3, path: 'messages[1]' } } },
      issues: {},
      losses: { media: { count: 2, example: { row: 1, path: 'messages[0].parts[1]' } } },
    });
  });

  it('is the same however the rows are divided and merged', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), fc.nat(12), fc.nat(12), (rows, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const whole = JSON.stringify(reportOf(rows, 1));
        const a = reportOf(rows.slice(0, low), 1);
        const b = reportOf(rows.slice(low, high), 1 + low);
        const c = reportOf(rows.slice(high), 1 + Math.min(high, rows.length));
        expect(JSON.stringify(merged(merged(a, b), c))).toBe(whole);
        expect(JSON.stringify(merged(a, merged(b, c)))).toBe(whole);
        expect(JSON.stringify(merged(c, b, a))).toBe(whole);
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});
