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

it('counts a large answer with its body, a small one not, and gives both back', () => {
  const budget = new WorkBudget(() => limits);
  const [one, other] = [budget.open(), budget.open()];
  one.grow(100_000, 10);
  one.hold(200_000);
  expect(budget.held).toEqual({ bytes: 100_000, elements: 10 });
  one.hold(500_000);
  expect(budget.held).toEqual({ bytes: 600_000, elements: 10 });
  expect(() => other.hold(500_000)).toThrow('limits.workBytes');
  other.hold(300_000);
  other.hold(0);
  expect(budget.held).toEqual({ bytes: 600_000, elements: 10 });
  one.leave();
  other.leave();
  expect(budget.held).toEqual({ bytes: 0, elements: 0 });
});
