import { describe, expect, it } from 'vitest';
import type { Judged } from './judge-output.js';
import { type ScoreData, ScoreTally } from './tally.js';

const judged = (at: number): Judged => {
  const base = { dialect: ['hermes', 'glm-4.5'][at % 2] as string, calls: [], issues: [], repairs: [] };
  if (at % 5 === 0) return { ...base, verdict: 'unscored', errors: [], reason: 'no-output' };
  if (at % 5 === 1) return { ...base, verdict: 'right', errors: [], repairs: ['comment'], readerRight: true };
  const errors = [{ check: at % 3 === 0 ? ('name' as const) : ('count' as const), message: `row ${at}` }];
  if (at % 5 === 2) return { ...base, verdict: 'model', errors, readerRight: false };
  return {
    ...base,
    verdict: 'parser',
    by: 'dragoman',
    errors,
    readsAs: { dialect: 'xlam', thinking: at % 2 === 0 },
  };
};

function tally(from: number, to: number): ScoreData {
  const made = new ScoreTally();
  for (let at = from; at < to; at++)
    made.add({ judged: judged(at), id: `id-${at}`, text: `text ${at}` }, at - from + 1);
  return made.toJSON();
}

describe('counts of a scoring', () => {
  it('are the same however the rows are divided', () => {
    const whole = tally(0, 60);
    for (const cut of [1, 17, 30, 59]) {
      const made = new ScoreTally();
      made.merge(tally(cut, 60), cut);
      made.merge(tally(0, cut));
      expect(JSON.stringify(made.toJSON())).toBe(JSON.stringify(whole));
    }
    expect(whole).toMatchObject({
      outputs: 60,
      right: 12,
      repaired: 12,
      model: 12,
      parser: 24,
      unscored: 12,
    });
    expect(whole.readsAs).toEqual({ xlam: 12, 'xlam, thinking': 12 });
  });

  it('keep the first three examples of each error', () => {
    const { examples } = tally(0, 1000);
    expect(examples.length).toBeLessThanOrEqual(15);
    expect(examples[0]).toEqual({
      row: 1,
      id: 'id-0',
      verdict: 'unscored',
      text: 'text 0',
      check: 'no-output',
      message: '',
    });
  });
});
