import { apiNames, wireOf } from '@dragoman/core/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults, type NamedFault } from './faults.fixture.js';
import { drawSuite, type VerifyOptions, type VerifyReport, verifyEndpoint } from './index.js';
import { type HttpServer, serveDemo, serveFault } from './stand-in.fixture.js';

const served = apiNames.filter((name) => wireOf(name).served);
let demo: HttpServer;

beforeAll(async () => {
  demo = await serveDemo();
});
afterAll(() => demo.close());

async function reportOf(options: Partial<VerifyOptions>): Promise<VerifyReport> {
  const given = { url: demo.url, model: 'demo', concurrency: 8, suite: drawSuite(12, 1), ...options };
  for await (const event of verifyEndpoint(given)) if (event.type === 'report') return event.report;
  throw new Error('no report');
}

/** The checks that fail, with the first message of each. */
function failing({ checks }: VerifyReport): string[] {
  return checks.flatMap(({ id, status, examples }) =>
    status === 'fail' ? [`${id}: ${examples[0]?.message}`] : [],
  );
}

describe('a right endpoint', () => {
  it.each(served)('fails no check by %s', async (api) => {
    const report = await reportOf({ api, suite: 'quick' });
    expect(failing(report)).toEqual([]);
    expect(report.requests.done).toBe(report.requests.planned);
    const skipped = report.checks.filter(({ status }) => status === 'skipped').map(({ id }) => id);
    expect(skipped).toEqual([]);
    expect(report.scores.success_rate?.value).toBe(1);
    expect(report.scores.schema_accuracy?.value).toBe(1);
  });
});

it('a fault that one probe shows fails its check among the answers of a whole suite', async () => {
  const [name, fault] = Object.entries(faults).find(([, { fails }]) => fails.includes('ids-unique'))!;
  const proxy = await serveFault(demo.url, fault);
  try {
    const report = await reportOf({ url: proxy.url, suite: drawSuite(240, 1), concurrency: 32 });
    expect(
      failing(report).map((line) => line.split(':')[0]),
      name,
    ).toEqual(fault.fails);
  } finally {
    await proxy.close();
  }
});

describe.each(served)('a fault of an endpoint by %s', (api) => {
  // All of them by the first API; by the others a part, which a higher effort makes all.
  const every = Number(process.env.DRAGOMAN_EFFORT ?? 1) < 1 ? 6 : 1;
  const isTried = ({ onlyChat }: NamedFault, at: number) =>
    api === served[0] || (!onlyChat && (at + served.indexOf(api)) % every === 0);
  const tried = Object.entries(faults).filter(([, fault], at) => isTried(fault, at));
  it.each(tried)('fails exactly the checks that name it: %s', async (_, fault) => {
    const proxy = await serveFault(demo.url, fault);
    try {
      const report = await reportOf({ url: proxy.url, api });
      const found = failing(report).map((line) => line.split(':')[0]);
      expect(found.sort(), failing(report).join('\n')).toEqual([...fault.fails].sort());
    } finally {
      await proxy.close();
    }
  });
});
