// A job for a schedule: tests an endpoint, and fails when it is worse than the best it has been.
//
//   DRAGOMAN_VERIFY_KEY=… node examples/watch-provider.js https://api.example.com/v1 the-model
//
// The measure is kept in a file: the checks that passed once, and the highest lower end of each score. It only rises, so
// that a provider that gets a little worse every week fails in the end. Remove the file to accept what is there now.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { EndpointError, verifyEndpoint } from '@dragoman/verify';

/** @typedef {import('@dragoman/verify').VerifyReport} VerifyReport */
/** @typedef {{ passed: string[], scores: Record<string, number> }} Measure */

const [url, model, file = 'measure.json'] = process.argv.slice(2);
if (url === undefined || model === undefined) {
  console.error('usage: node watch-provider.js <url> <model> [measure.json]');
  process.exit(2);
}

try {
  const report = await verify(url, model);
  /** @type {Measure} */
  const best = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: [], scores: {} };
  const worse = [...newFailures(report, best), ...lowerScores(report, best)];
  for (const line of worse) console.log(line);
  console.log(worse.length > 0 ? `${model} got worse.` : `${model} is as good as before.`);
  writeFileSync(file, JSON.stringify(raised(best, report)));
  process.exitCode = worse.length > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof EndpointError)) throw error;
  console.error(error.message);
  process.exitCode = 4;
}

/**
 * @param {string} url
 * @param {string} model
 * @returns {Promise<VerifyReport>}
 */
async function verify(url, model) {
  const key = process.env.DRAGOMAN_VERIFY_KEY;
  for await (const event of verifyEndpoint({ url, model, ...(key && { key }) })) {
    if (event.type !== 'report') continue;
    // What was judged before it stopped says nothing about the rest.
    if (event.report.lost !== undefined)
      throw new EndpointError(`${url} stopped answering: ${event.report.lost}`);
    return event.report;
  }
  throw new Error('the verification ended without a report');
}

/**
 * @param {VerifyReport} now
 * @param {Measure} best
 */
function newFailures(now, best) {
  const failed = now.checks.filter(
    ({ id, status, required }) => required && status === 'fail' && best.passed.includes(id),
  );
  return failed.map(({ id, examples: [example] }) => `${id} fails: ${example?.message ?? ''}`);
}

/** @param {VerifyReport} report */
function ratesOf({ scores }) {
  const { success_rate, schema_accuracy, trigger_precision, trigger_recall } = scores;
  return Object.entries({ success_rate, schema_accuracy, trigger_precision, trigger_recall });
}

/**
 * @param {VerifyReport} now
 * @param {Measure} best
 */
function lowerScores(now, best) {
  return ratesOf(now).flatMap(([name, rate]) => {
    const low = best.scores[name];
    return rate && low !== undefined && rate.value < low
      ? [`${name} fell to ${rate.value.toFixed(3)}, below ${low.toFixed(3)}`]
      : [];
  });
}

/**
 * The better of what was and what is.
 *
 * @param {Measure} best
 * @param {VerifyReport} now
 * @returns {Measure}
 */
function raised(best, now) {
  const passed = now.checks
    .filter(({ status }) => status === 'pass' || status === 'warn')
    .map(({ id }) => id);
  const lows = ratesOf(now).map(([name, rate]) => [name, Math.max(rate?.low ?? 0, best.scores[name] ?? 0)]);
  return { passed: [...new Set([...best.passed, ...passed])], scores: Object.fromEntries(lows) };
}
