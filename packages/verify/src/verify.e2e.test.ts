import { readFileSync } from 'node:fs';
import type { ApiName } from '@dragoman/core/wire';
import { describe, expect, it } from 'vitest';
import { apiFaults } from './faults/api-faults.fixture.js';
import { chatFaults, oddities } from './faults/chat-faults.fixture.js';
import { failing, faultCases, foundBy, reportOf, served, suite, url } from './faults/fault-cases.fixture.js';
import { faults } from './faults/index.fixture.js';
import type { NamedFault } from './faults/named-fault.fixture.js';
import { drawSuite, isRight } from './index.js';
import { askDemo, type Fault, faulty } from './stand-in.fixture.js';

describe('a right endpoint', () => {
  it('is asked for every tool of the suite with and without a stream', () => {
    const streams = suite.flatMap(({ suite: kind, steps: [step] }) =>
      kind === 'exact' && step && 'question' in step ? [step.question.stream] : [],
    );
    expect(streams).toHaveLength(14);
    expect(streams.filter(Boolean)).toHaveLength(7);
  });

  it.each(served)('fails no check by %s', async (api) => {
    const report = await reportOf({ api, suite: 'quick' });
    expect(failing(report)).toEqual([]);
    expect(report.requests.done).toBe(report.requests.planned);
    // The README, the help of the command and docs/verify.md say "about 140".
    expect(Math.abs(report.requests.planned - 140)).toBeLessThan(10);
    const skipped = report.checks.filter(({ status }) => status === 'skipped').map(({ id }) => id);
    expect(skipped).toEqual([]);
    const warned = report.checks.filter(({ status }) => status === 'warn').map(({ id }) => id);
    expect(warned).toEqual(['prefix-cache']);
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(report.version).toBe(version);
    expect(report.scores.success_rate?.value).toBe(1);
    expect(report.scores.schema_accuracy?.value).toBe(1);
  });
});

it('a fault that one probe shows fails its check among the answers of a whole suite', async () => {
  const [name, fault] = Object.entries(faults).find(([, { fails }]) => fails.includes('ids-unique'))!;
  const report = await reportOf({ fetch: faulty(fault), suite: drawSuite(240, 1) });
  expect(
    failing(report).map((line) => line.split(':')[0]),
    name,
  ).toEqual(fault.fails);
});

/** Each of them by one API in one way, a different one for the next; verify.long.test.ts tries all. */
const tried = Object.keys(faults).flatMap((wanted, at) => {
  const cases = faultCases.filter(([, , name]) => name === wanted);
  return cases.slice(at % cases.length).slice(0, 1);
});

describe('a fault of an endpoint', () => {
  async function expectExactly(api: ApiName, fault: NamedFault): Promise<void> {
    const { ids, words } = await foundBy(api, fault);
    expect(ids, words).toEqual([...fault.fails].sort());
  }

  it.each(tried)('fails exactly the checks that name it: by %s, %s, %s', async (api, _, __, fault) =>
    expectExactly(api, fault),
  );

  it.each(apiFaults)('fails exactly the checks that name it: by %s, %s', async (api, _, fault) =>
    expectExactly(api, fault),
  );
});

it.each(Object.entries(oddities))('fails no check for what is odd and right: %s', async (_, oddity) => {
  expect(failing(await reportOf({ fetch: faulty(oddity) }))).toEqual([]);
});

describe('what is odd and right in one API', () => {
  const DONE: Fault = { text: (text, streamed) => (streamed ? `${text}data: [DONE]\n\n` : text) };
  const refuses: Fault = {
    request: (request) =>
      request.settings.maxTokens === 16
        ? { status: 400, message: 'max_tokens must be at least 32' }
        : request,
  };

  it.each<[ApiName, string, Fault]>([
    ['anthropic-messages', 'streams end with [DONE]', DONE],
    ['openai-responses', 'streams end with [DONE]', DONE],
    ['openai-chat', 'a limit is refused by its name', refuses],
  ])('fails no check: by %s, %s', async (api, _, oddity) => {
    expect(failing(await reportOf({ api, fetch: faulty(oddity) }))).toEqual([]);
  });
});

it('arguments that are cut are not blamed on a limit of tokens', async () => {
  const fault = faults['arguments are cut'] ?? { fails: [] };
  const { checks } = await reportOf({ fetch: faulty(fault) });
  const words = checks.flatMap(({ examples }) => examples.map(({ message }) => message)).join();
  expect(words).toContain('no JSON object');
  expect(words).not.toContain('limit of tokens');
});

describe('an error with the status 200', () => {
  it('fails the whole verification', async () => {
    const fault = chatFaults['requests with tools get an error with the status 200'] ?? {};
    const report = await reportOf({ fetch: faulty(fault) });
    expect(isRight(report)).toBe(false);
    expect(report.checks.find(({ id }) => id === 'calls-tool')).toMatchObject({
      status: 'skipped',
      reason: 'It cannot be judged while errors fails.',
    });
  });
});

describe('a key', () => {
  it.each([
    { key: 'text' },
    { key: 'Dragoman' },
    { url: `${url}?beta=true` },
    { headers: { 'x-a': 'the tool' } },
  ])('is no part of what is judged: %j', async (options) => {
    const report = await reportOf(options);
    expect(failing(report)).toEqual([]);
    expect(report.scores.schema_accuracy?.value).toBe(1);
  });
});

describe('an endpoint that is busy now and then', () => {
  it('is asked again, and the report has how often', async () => {
    let count = 0;
    const busy = (status: number) => () =>
      ++count % 10 === 5 ? new Response('busy', { status, headers: { 'retry-after': '0.001' } }) : undefined;
    for (const status of [429, 500, 502, 503, 504]) {
      const refusal = busy(status);
      const report = await reportOf({
        fetch: async (to, init) => refusal() ?? askDemo(to, init),
        engine: 'none',
      });
      expect(failing(report), String(status)).toEqual([]);
      expect(report.requests.retried).toBeGreaterThan(3);
    }
  });
});
