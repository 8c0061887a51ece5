// The part of the bench about `dragoman convert`: the real command against parse-and-stringify of the same file, on
// one core and on two, in turn; and its start, with a file of one row.

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WrittenRows, writeRows } from './convert-rows.js';
import { canPin, type Ends, runConvert, runFloor, type Time } from './convert-run.js';
import { convertStarts } from './convert-start.js';
import * as limits from './limits.js';
import { type CheckLimit, heading, note, progress, table, times, worst } from './report.js';
import type { Start } from './starts.js';

interface RowsFile extends WrittenRows {
  path: string;
}

interface ConversionPair extends Ends {
  source: string;
}

/** One dialect writes calls as JSON, the other as tagged arguments. */
const pairs: readonly ConversionPair[] = [
  { from: 'openai', to: 'anthropic', source: 'openai' },
  { from: 'anthropic', to: 'openai', source: 'anthropic' },
  { from: 'openai', to: 'messages:hermes', source: 'openai' },
  { from: 'openai', to: 'messages:glm-4.5', source: 'openai' },
  { from: 'messages:hermes', to: 'openai', source: 'messages:hermes' },
  { from: 'messages:glm-4.5', to: 'openai', source: 'messages:glm-4.5' },
  { from: 'sharegpt', to: 'openai', source: 'sharegpt' },
];

const MB = 1e6;
const arms = ['floor, one core', 'floor, two', 'one core', 'two'] as const;
type ConvertArm = (typeof arms)[number];

interface ConvertSpeed {
  name: string;
  rows: number;
  bytes: number;
  /** The best of each arm. */
  best: Record<ConvertArm, Time>;
}

interface ConvertResults {
  starts: Start[];
  results: ConvertSpeed[];
}

export async function convertPart(hold: CheckLimit, quick: boolean): Promise<ConvertResults> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-convert-'));
  try {
    const starts = await convertStarts(hold, folder);
    heading('dragoman convert against JSON.parse and JSON.stringify of the same lines: whole processes');
    const sources = await makeSources(folder, quick ? 16 * MB : 96 * MB);
    const results: ConvertSpeed[] = [];
    for (const pair of pairs) results.push(await race(pair, sources, join(folder, 'output'), quick ? 1 : 3));
    show(results);
    holdAll(results, hold);
    return { starts, results };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Two files are made; what the command makes of one of them is the input of the way back. */
async function makeSources(folder: string, bytes: number): Promise<Map<string, RowsFile>> {
  progress('convert: writing rows');
  const sources = new Map<string, RowsFile>();
  for (const form of ['openai', 'sharegpt'] as const) {
    const path = join(folder, `${form}.jsonl`);
    sources.set(form, { path, ...(await writeRows(path, form, bytes)) });
  }
  const { path: input, rows } = sources.get('openai') as RowsFile;
  for (const to of ['anthropic', 'messages:hermes', 'messages:glm-4.5']) {
    const path = join(folder, `${to.replace(':', '-')}.jsonl`);
    await runConvert({ input, output: path, cores: 2 }, { from: 'openai', to });
    sources.set(to, { path, rows, bytes: (await stat(path)).size });
  }
  return sources;
}

async function race(
  pair: ConversionPair,
  sources: Map<string, RowsFile>,
  output: string,
  rounds: number,
): Promise<ConvertSpeed> {
  const { path: input, rows, bytes } = sources.get(pair.source) as RowsFile;
  const name = `${pair.from} → ${pair.to}`;
  progress(`convert: ${name}`);
  const best = Object.fromEntries(
    arms.map((arm) => [arm, { wall: Infinity, cpu: Infinity }]),
  ) as ConvertSpeed['best'];
  const run: Record<ConvertArm, () => Promise<Time>> = {
    'floor, one core': () => runFloor({ input, output, cores: 1 }),
    'floor, two': () => runFloor({ input, output, cores: 2 }),
    'one core': () => runConvert({ input, output: `${output}.jsonl`, cores: 1 }, pair),
    two: () => runConvert({ input, output: `${output}.jsonl`, cores: 2 }, pair),
  };
  for (let round = 0; round < rounds; round++)
    for (const arm of round % 2 ? arms.toReversed() : arms) {
      await rm(`${output}.jsonl`, { force: true });
      const { wall, cpu } = await run[arm]();
      best[arm] = { wall: Math.min(best[arm].wall, wall), cpu: Math.min(best[arm].cpu, cpu) };
    }
  return { name, rows, bytes, best };
}

const speed = ({ rows, bytes }: ConvertSpeed, seconds: number) =>
  `${(bytes / MB / seconds).toFixed(0)} MB/s ${(rows / seconds / 1000).toFixed(1)}k/s`;
/** By CPU: on one core that is the time, and a busy machine changes it little. */
const toFloor = ({ best }: ConvertSpeed) => best['one core'].cpu / best['floor, one core'].cpu;
const twoToOne = ({ best }: ConvertSpeed) => best.two.wall / best['one core'].wall;

function show(results: readonly ConvertSpeed[]): void {
  table(
    ['', 'row', ...arms, 'of the floor', 'one core to two', 'floor’s'],
    results.map((result) => [
      result.name,
      `${(result.bytes / result.rows / 1000).toFixed(1)} KB`,
      ...arms.map((arm) => speed(result, result.best[arm].wall)),
      times(1 / toFloor(result)),
      times(1 / twoToOne(result)),
      times(result.best['floor, one core'].wall / result.best['floor, two'].wall),
    ]),
  );
  note(
    'MB and thousands of rows of the input a second, the start of the process included; the best of each.',
  );
  note(
    'Of the floor: by CPU, so that others on the machine count little. From one core to two: by the clock.',
  );
  note(`The goal: at least 0.50× of the floor on one core, and 1.80× from one core to two.`);
  if (!canPin)
    note('taskset is not there: one core means --jobs 1, and what collects garbage may use another.');
}

function holdAll(results: readonly ConvertSpeed[], hold: CheckLimit): void {
  const slow = worst(results, toFloor);
  hold('convert, time ÷ floor', toFloor(slow), limits.CONVERT_TO_FLOOR, times, ` (${slow.name})`);
  const stuck = worst(results, twoToOne);
  hold(
    'convert, time on two cores ÷ one',
    twoToOne(stuck),
    limits.CONVERT_TWO_CORES,
    times,
    ` (${stuck.name})`,
  );
}
