// The start of `dragoman convert`, with a file of one row: CPU of the process, against one that only reads the row, does
// JSON.parse and JSON.stringify to it and writes it. People convert small files, too, and check a single row by it.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstRows } from './convert-rows.js';
import { type Ends, runConvert, runFloor } from './convert-run.js';
import * as limits from './limits.js';
import { type CheckLimit, heading, ms, progress, table, times, worst } from './report.js';

export interface ConvertStart {
  name: string;
  /** Milliseconds. */
  cpu: number;
  ratio: number;
}

const ROUNDS = 7;
const pairs: readonly Ends[] = [
  { from: 'openai', to: 'anthropic' },
  { from: 'openai', to: 'messages:hermes' },
];

export async function convertStarts(hold: CheckLimit, folder: string): Promise<ConvertStart[]> {
  heading('dragoman convert with a file of one row: CPU of the process');
  const input = join(folder, 'one-row.jsonl');
  const output = join(folder, 'one-row-output');
  await writeFile(input, `${firstRows('openai', 1).join('')}\n`);
  const arms: [name: string, run: () => Promise<{ cpu: number }>][] = [
    ['the row read and written', () => runFloor({ input, output, cores: 1 })],
    ...pairs.map((ends): [string, () => Promise<{ cpu: number }>] => [
      `${ends.from} → ${ends.to}`,
      () => runConvert({ input, output: `${output}.jsonl`, cores: 1 }, ends),
    ]),
  ];
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    progress(`convert: start ${round + 1} of ${ROUNDS}`);
    const costs: number[] = [];
    for (const [, run] of arms) {
      await rm(`${output}.jsonl`, { force: true });
      costs.push((await run()).cpu * 1000);
    }
    rounds.push(costs);
  }
  const results = arms.map(([name], at) => ({
    name,
    cpu: median(rounds.map((costs) => costs[at] as number)),
    ratio: median(rounds.map((costs) => (costs[at] as number) / (costs[0] as number))),
  }));
  table(
    ['', 'CPU', '÷ floor'],
    results.map(({ name, cpu, ratio }) => [name, ms(cpu), times(ratio)]),
  );
  const slow = worst(results, ({ ratio }) => ratio);
  hold('convert, one row ÷ read and written', slow.ratio, limits.CONVERT_START, times, ` (${slow.name})`);
  return results;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
