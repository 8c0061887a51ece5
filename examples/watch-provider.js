// A job for a schedule: tests an endpoint, and fails when it got worse since the last run.
//
//   DRAGOMAN_VERIFY_KEY=… node examples/watch-provider.js https://api.example.com/v1 the-model

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { verifyEndpoint } from '@dragoman/verify';

const [url, model, file = 'last-report.json'] = process.argv.slice(2);
if (url === undefined || model === undefined) {
  console.error('usage: node watch-provider.js <url> <model> [last-report.json]');
  process.exit(2);
}
const key = process.env.DRAGOMAN_VERIFY_KEY;

/** @type {import('@dragoman/verify').VerifyReport | undefined} */
let report;
for await (const event of verifyEndpoint({ url, model, ...(key && { key }) })) {
  if (event.type === 'report') report = event.report;
}
if (report === undefined) throw new Error('the verification ended without a report');

/** @type {import('@dragoman/verify').VerifyReport | undefined} */
const last = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
const worse = last === undefined ? [] : [...newFailures(report, last), ...lowerScores(report, last)];
for (const line of worse) console.log(line);
console.log(worse.length > 0 ? `${model} got worse.` : `${model} is as good as before.`);
// The better report stays the measure: a provider that got worse fails until it is mended.
if (worse.length === 0) writeFileSync(file, JSON.stringify(report));
process.exitCode = worse.length > 0 ? 1 : 0;

/**
 * @param {import('@dragoman/verify').VerifyReport} now
 * @param {import('@dragoman/verify').VerifyReport} before
 */
function newFailures(now, before) {
  const passed = new Set(before.checks.filter(({ status }) => status !== 'fail').map(({ id }) => id));
  const failed = now.checks.filter(
    ({ id, status, required }) => required && status === 'fail' && passed.has(id),
  );
  return failed.map(({ id, examples: [example] }) => `${id} fails: ${example?.message ?? ''}`);
}

/**
 * @param {import('@dragoman/verify').VerifyReport} now
 * @param {import('@dragoman/verify').VerifyReport} before
 */
function lowerScores(now, before) {
  const names = /** @type {const} */ ([
    'success_rate',
    'schema_accuracy',
    'trigger_precision',
    'trigger_recall',
  ]);
  return names.flatMap((name) => {
    const [value, low] = [now.scores[name]?.value, before.scores[name]?.low];
    return value !== undefined && low !== undefined && value < low
      ? [`${name} fell to ${value.toFixed(3)}, below ${low.toFixed(3)}`]
      : [];
  });
}
