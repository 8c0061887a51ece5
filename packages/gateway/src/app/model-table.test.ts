import { expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.js';
import { createBalances } from './model-balances.js';
import { createModelTable } from './model-table.js';

function tableOf(upstreams: string) {
  const result = parseConfig(
    `upstreams: ${upstreams}\nmodels: [{ name: m, alias: n, upstream: [a, b], route: error-rate }]`,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const balances = createBalances();
  return { balances, table: createModelTable(result.config, { balances }) };
}

it('a model with several upstreams has one state, in all tables', async () => {
  const { balances, table } = tableOf('{ a: "http://a/v1", b: "http://b/v1" }');
  const balance = balances.of('m', ['a', 'b'], 'error-rate');
  expect(table.find('n')).toMatchObject({ name: 'm', upstreamName: 'a, b', balance });
  expect(await table.list()).toEqual([
    { id: 'm', owner: 'a', created: 0 },
    { id: 'n', owner: 'a', created: 0 },
  ]);
});

it('clients that send their own keys do not share it', () => {
  const { balances, table } = tableOf('{ a: "http://a/v1", b: { url: "http://b/v1", passKey: true } }');
  expect(table.find('m')).toMatchObject({ route: 'error-rate' });
  expect(table.find('m')).not.toHaveProperty('balance');
  expect(balances.shares()).toEqual([]);
});
