// What a mask costs: `npm run bench:masks`, or with the number of rows and of takes: `npm run bench:masks -- 300 5`.
// Processor time a row, the best of the takes, with and without a mask in turn. Fails if rows with masks are written
// at less than 0.7 of the speed.

import { createConvertLine, formOf, maskKinds, type TrainingOptions } from '@dragoman/convert';
import { firstRows } from './convert-rows.js';

const LEAST = 0.7;

const [rows = 400, takes = 7] = process.argv.slice(2).map(Number);
const lines = firstRows('openai', rows);

function converter(to: string, training?: TrainingOptions) {
  const [form = '', dialect = ''] = to.split(':');
  return createConvertLine({ from: formOf({ form: 'openai' }), to: formOf({ form, dialect }, training) });
}

/** Gives microseconds a row. */
function take(convert: (line: string) => unknown): number {
  const start = process.cpuUsage();
  for (const line of lines) convert(line);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / lines.length;
}

let slow = 0;
for (const to of ['prompt:hermes', 'prompt:glm-4.5', 'messages:hermes']) {
  const ways = [converter(to), converter(to, { mask: maskKinds })] as const;
  for (const way of ways) take(way);
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let n = 0; n < takes; n++)
    for (const [at, way] of ways.entries()) best[at] = Math.min(best[at] ?? 0, take(way));
  const [without = 0, masked = 0] = best;
  const speed = without / masked;
  if (speed < LEAST) slow++;
  console.log(
    `openai → ${to.padEnd(16)} ${without.toFixed(0).padStart(5)} → ${masked.toFixed(0).padStart(5)} µs a row: ${speed.toFixed(2)} of the speed`,
  );
}
if (slow > 0) {
  console.log(`FAIL: less than ${LEAST} of the speed`);
  process.exitCode = 1;
}
