// Every two of client, case and dialect meet: what spread.ts gives the clients to run leaves none out.

import { expect, it } from 'vitest';
import { representatives } from '../../packages/core/src/dialects/every.fixture.js';
import { cases } from './cases.js';
import { everyone } from './everyone.js';
import { clientNames, dialectsOf, runsOf, seeds } from './spread.js';

const all = everyone.flatMap((client) => runsOf(client.name).map((run) => ({ client, ...run })));

it('gives every client a turn', () => {
  expect(everyone.map(({ name }) => name).sort()).toEqual([...clientNames].sort());
});

it('gives every client every case, and every dialect', () => {
  for (const { name } of everyone) {
    const runs = runsOf(name);
    expect(new Set(runs.map(({ one }) => one)).size, name).toBe(cases.length);
    expect(new Set(runs.map(({ dialect }) => dialect)).size, name).toBe(representatives.length);
    expect(new Set(runs.map(({ one, dialect }) => `${one.name} in ${dialect.name}`)).size).toBe(runs.length);
  }
});

it('runs every case in every dialect that it is for', () => {
  for (const one of cases) {
    const tried = new Set(all.filter((run) => run.one === one).map(({ dialect }) => dialect));
    expect([...tried].sort(byName), one.name).toEqual(dialectsOf(one).sort(byName));
  }
});

// The others are for more dialects than there are clients of one kind.
it('runs what only the first dialects are tried with in each of them, both whole and streamed', () => {
  const ways = new Set(all.map((run) => `${run.one.name} in ${run.dialect.name}: ${run.client.streams}`));
  const few = cases.filter((one) => dialectsOf(one).length <= seeds.length);
  const wanted = few.flatMap((one) =>
    dialectsOf(one).flatMap(({ name }) =>
      [true, false].map((streams) => `${one.name} in ${name}: ${streams}`),
    ),
  );
  expect(wanted.length).toBeGreaterThan(few.length);
  expect(wanted.filter((way) => !ways.has(way))).toEqual([]);
});

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
