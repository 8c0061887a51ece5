// docs/verify.md lists the faults that the tests of `dragoman verify` make, by the check that names each.

import { readFileSync, writeFileSync } from 'node:fs';
import { type ApiName, apiNames, wireOf } from '@dragoman/core/wire';
import { expect, it } from 'vitest';
import { checkIds } from '../packages/verify/src/check.js';
import { apiFaults } from '../packages/verify/src/faults/api-faults.fixture.js';
import { faults } from '../packages/verify/src/faults/index.fixture.js';
import type { NamedFault } from '../packages/verify/src/faults/named-fault.fixture.js';

const FILE = new URL('../docs/verify.md', import.meta.url);
const BEGIN = '<!-- faults -->';
const END = '<!-- /faults -->';

const served = apiNames.filter((name) => wireOf(name).served);

/** Every fault with the APIs it is tested by. */
const all: [name: string, fault: NamedFault, apis: readonly ApiName[]][] = [
  ...Object.entries(faults).map(([name, fault]): [string, NamedFault, readonly ApiName[]] => [
    name,
    fault,
    fault.by ?? served,
  ]),
  ...apiFaults.map(([api, name, fault]): [string, NamedFault, readonly ApiName[]] => [name, fault, [api]]),
];

function table(): string {
  const rows = checkIds.flatMap((id) =>
    all
      .filter(([, { fails }]) => fails.includes(id))
      .map(
        ([name, , apis]) =>
          `| \`${id}\` | ${name} | ${apis.length < served.length ? apis.join(', ') : 'all'} |`,
      ),
  );
  return ['| check | fault | APIs |', '| --- | --- | --- |', ...rows].join('\n');
}

it('each fault is named by one check', () => {
  const others = all.filter(([, { fails, streamed = fails }]) => fails.length !== 1 || streamed.length !== 1);
  expect(others.map(([name]) => name)).toEqual([]);
});

it('docs/verify.md lists every fault', () => {
  const text = readFileSync(FILE, 'utf8');
  const [before, rest = ''] = text.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  const wanted = `${before}${BEGIN}\n\n${table()}\n\n${after}`;
  if (process.env.DRAGOMAN_WRITE) writeFileSync(FILE, wanted);
  else expect(text, 'DRAGOMAN_WRITE=1 npx vitest run test/verify-faults.test.ts rewrites it').toBe(wanted);
});
