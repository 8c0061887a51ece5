import { expect, it } from 'vitest';
import type { LimitsConfig } from '../config/config.js';
import { WorkBudget } from './work-budget.js';

const limits = { workBytes: 1_000_000, workElements: 100_000 } as LimitsConfig;

it('counts nothing for a request that has ended, which nobody would give back', () => {
  const budget = new WorkBudget(() => limits);
  const share = budget.open();
  share.grow(500_000, 10);
  expect(budget.held).toEqual({ bytes: 500_000, elements: 10 });
  share.leave();
  expect(() => share.grow(500_000, 10)).toThrow('has ended');
  expect(budget.held).toEqual({ bytes: 0, elements: 0 });
});
