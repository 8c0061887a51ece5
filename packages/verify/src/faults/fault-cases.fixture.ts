// What the tests of faults share: the report of an endpoint with one of them, and every fault by every API and way.

import { type ApiName, apiNames, wireOf } from '@dragoman/core/wire';
import { drawSuite, type VerifyOptions, type VerifyReport, verifyEndpoint } from '../index.js';
import { askDemo, faulty } from '../stand-in.fixture.js';
import { oneWay } from './any-api.fixture.js';
import { faults } from './index.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

export const served = apiNames.filter((name) => wireOf(name).served);
export const url = 'http://demo.invalid/v1';
/** Of the quick suite the first case of each tool, with and without a stream, and two questions. */
export const suite = firsts(drawSuite(60, 1), ({ suite: kind, label, wants, steps: [step] }) => {
  const stream = step && 'question' in step && step.question.stream;
  return kind === 'exact' ? `${wants?.[0]?.name} ${wants?.length} ${stream}` : String(label);
});

function firsts<T>(list: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(list.map((one): [string, T] => [keyOf(one), one]).reverse()).values()].reverse();
}

export async function reportOf(options: Partial<VerifyOptions>): Promise<VerifyReport> {
  const given = { url, model: 'demo', fetch: askDemo, suite, ...options };
  for await (const event of verifyEndpoint(given)) if (event.type === 'report') return event.report;
  throw new Error('no report');
}

/** The checks that fail, with the first message of each. */
export function failing({ checks }: VerifyReport): string[] {
  return checks.flatMap(({ id, status, examples }) =>
    status === 'fail' ? [`${id}: ${examples[0]?.message}`] : [],
  );
}

type Way = 'both ways' | 'in streams' | 'in whole answers';

const ways: Record<Way, (fault: NamedFault) => NamedFault> = {
  'both ways': (fault) => fault,
  'in streams': (fault) => ({ fails: fault.streamed ?? fault.fails, ...oneWay(fault, true) }),
  'in whole answers': (fault) => ({ fails: fault.fails, ...oneWay(fault, false) }),
};

/** Errors and the list of models have no ways, and neither have faults that one way alone can have. */
const hasWays = ({ only, other }: NamedFault) => only === undefined && other === undefined;

/** Every fault by every API that has words for it, everywhere, in streams alone and in whole answers alone. */
export const faultCases = served.flatMap((api) =>
  Object.keys(ways).flatMap((way) =>
    Object.entries(faults)
      .filter(([, fault]) => (fault.by ?? served).includes(api) && (way === 'both ways' || hasWays(fault)))
      .map(([name, fault]): [ApiName, string, string, NamedFault] => [
        api,
        way,
        name,
        ways[way as Way](fault),
      ]),
  ),
);

/** The names of the checks that fail with a fault, and what to show if they are others. */
export async function foundBy(api: ApiName, fault: NamedFault): Promise<{ ids: string[]; words: string }> {
  const lines = failing(await reportOf({ fetch: faulty(fault), api }));
  return { ids: lines.map((line) => line.slice(0, line.indexOf(':'))).sort(), words: lines.join('\n') };
}
