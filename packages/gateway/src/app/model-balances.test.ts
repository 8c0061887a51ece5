import { expect, it } from 'vitest';
import { createBalances } from './model-balances.js';

it('keeps the state of a model whose upstreams and route stay the same', () => {
  const balances = createBalances(() => 0);
  const first = balances.of('m', ['a', 'b'], 'order');
  first.failed(0);
  expect(balances.of('m', ['a', 'b'], 'order')).toBe(first);
  expect(balances.shares()).toEqual([
    { model: 'm', upstream: 'a', share: 0 },
    { model: 'm', upstream: 'b', share: 1 },
  ]);
  expect(balances.of('m', ['b', 'a'], 'order')).not.toBe(first);
  expect(balances.of('m', ['b', 'a'], 'error-rate').shares()).toEqual([0.5, 0.5]);
});

it('forgets models that are gone', () => {
  const balances = createBalances();
  balances.of('m', ['a'], 'order');
  balances.of('n', ['a'], 'order');
  balances.keepOnly(['n']);
  expect(balances.shares().map(({ model }) => model)).toEqual(['n']);
});
