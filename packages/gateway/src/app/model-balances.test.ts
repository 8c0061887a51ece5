import { expect, it } from 'vitest';
import type { GatewayConfig } from '../config/config.js';
import { parseConfig } from '../config/parse-config.js';
import { createResponses } from '../responses/index.js';
import { createApp } from './app.js';
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

it('leaves the state as it is until another configuration is used', () => {
  const configWith = (...upstream: string[]): GatewayConfig => {
    const url = 'http://model.invalid/v1';
    const read = parseConfig(
      JSON.stringify({
        upstreams: { a: url, b: url, c: url },
        models: { m: { upstream, route: 'order' }, n: { upstream: 'a' } },
      }),
    );
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.config;
  };
  const balances = createBalances();
  const quiet = () => undefined;
  const app = createApp(configWith('a', 'b'), {
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    watcher: [],
    limiter: { take: async () => ({ ok: true }) },
    responses: createResponses(undefined, 0),
    balances,
  });
  const sharesOf = () => balances.shares().map(({ upstream, share }) => [upstream, share]);
  const state = balances.of('m', ['a', 'b'], 'order');
  state.failed(0);
  const before = sharesOf();
  const steps = app.reloadSteps(configWith('a', 'b', 'c'));
  // The model has its upstreams, and the next one is not made.
  for (let step = 0; step < 5; step++) expect(steps.next().done).toBe(false);
  expect(sharesOf()).toEqual(before);
  expect(balances.of('m', ['a', 'b'], 'order')).toBe(state);
  expect(steps.next().done).toBe(true);
  expect(sharesOf().map(([upstream]) => upstream)).toEqual(['a', 'b', 'c']);
  const now = balances.of('m', ['a', 'b', 'c'], 'order');
  app.reload(configWith('a', 'b', 'c'));
  expect(balances.of('m', ['a', 'b', 'c'], 'order')).toBe(now);
});
