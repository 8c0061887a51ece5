// What each quick way of converting gains, on the pairs of forms it serves: `npm run bench:quick-ways`, or with the
// number of rows and of takes: `npm run bench:quick-ways -- 300 5`. Processor time a row, the best of the takes, with
// the way and without it in turn; all other ways stay. A way that gains less than 1.5 on its best pair is to go.

import { createConvertLine, formOf, type QuickWay, quickWays, withoutQuickWays } from '@dragoman/convert';
import { firstRows } from './convert-rows.js';

const LEAST = 1.5;

const [rows = 400, takes = 5] = process.argv.slice(2).map(Number);

/** `openai`, or `messages:hermes`: text in a dialect. */
type FormText = string;

const pairs: Record<QuickWay, readonly [from: FormText, to: FormText][]> = {
  json: [
    ['openai', 'anthropic'],
    ['sharegpt', 'openai'],
  ],
  'shared-tools': [
    ['openai', 'messages:hermes'],
    ['openai', 'prompt:hermes'],
    ['messages:glm-4.5', 'openai'],
  ],
  'taught-tools': [
    ['messages:hermes', 'openai'],
    ['prompt:hermes', 'openai'],
  ],
  answer: [
    ['messages:hermes', 'openai'],
    ['messages:glm-4.5', 'openai'],
    ['messages:mistral', 'openai'],
  ],
  messages: [
    ['openai', 'messages:hermes'],
    ['openai', 'messages:glm-4.5'],
    ['messages:hermes', 'openai'],
  ],
  prompt: [
    ['openai', 'prompt:hermes'],
    ['openai', 'prompt:glm-4.5'],
  ],
};

function toForm(text: FormText) {
  const [form = '', dialect] = text.split(':');
  return formOf({ form, ...(dialect !== undefined && { dialect }) });
}

const spelled = new Map<FormText, string[]>();

function linesIn(form: FormText): string[] {
  const known = spelled.get(form);
  if (known) return known;
  const isGiven = form === 'openai' || form === 'sharegpt';
  const convert = createConvertLine({
    from: toForm('openai'),
    to: isGiven ? toForm('openai') : toForm(form),
  });
  const lines = isGiven
    ? firstRows(form, rows)
    : linesIn('openai').flatMap((line) => {
        try {
          return [convert(line).text];
        } catch {
          return [];
        }
      });
  spelled.set(form, lines);
  return lines;
}

/** Microseconds of the processor a row. */
function cost(convert: (line: string) => unknown, lines: readonly string[]): number {
  const start = process.cpuUsage();
  for (const line of lines) convert(line);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / lines.length;
}

function gainOf(ways: readonly QuickWay[], from: FormText, to: FormText): { quick: number; long: number } {
  const convert = createConvertLine({ from: toForm(from), to: toForm(to) });
  const lines = linesIn(from);
  const quickly = () => cost(convert, lines);
  const slowly = () => withoutQuickWays(ways, quickly);
  const best = { quick: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY };
  // The first take warms both.
  for (let take = 0; take <= takes; take++) {
    const quick = quickly();
    const long = slowly();
    if (take > 0)
      Object.assign(best, { quick: Math.min(best.quick, quick), long: Math.min(best.long, long) });
  }
  return best;
}

function show(name: string, ways: readonly QuickWay[], served: readonly [FormText, FormText][]): void {
  const gains = served.map(([from, to]) => {
    const { quick, long } = gainOf(ways, from, to);
    const gain = long / quick;
    console.log(
      `${name.padEnd(14)} ${`${from} → ${to}`.padEnd(34)} ${long.toFixed(0).padStart(6)} → ${quick.toFixed(0).padStart(6)} µs a row  ${gain.toFixed(2)}×`,
    );
    return gain;
  });
  if (name !== 'all' && Math.max(...gains) < LEAST)
    console.log(`${name}: gains less than ${LEAST}: it is to go`);
}

for (const way of quickWays) show(way, [way], pairs[way]);
show('all', quickWays, [
  ['openai', 'anthropic'],
  ['openai', 'messages:hermes'],
  ['messages:hermes', 'openai'],
  ['prompt:hermes', 'openai'],
]);
