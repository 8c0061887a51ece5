// The start of `dragoman convert`, with a file of one row: CPU of the process, against one that only reads the row, does
// JSON.parse and JSON.stringify to it and writes it. People convert small files, too, and check a single row by it.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstRows } from './convert-rows.js';
import { type Ends, runConvert, runFloor } from './convert-run.js';
import * as limits from './limits.js';
import { type CheckLimit, heading, times, worst } from './report.js';
import { raceStarts, type Start, type StartArm } from './starts.js';

const pairs: readonly Ends[] = [
  { from: 'openai', to: 'anthropic' },
  { from: 'openai', to: 'messages:hermes' },
];

export async function convertStarts(hold: CheckLimit, folder: string): Promise<Start[]> {
  heading('dragoman convert with a file of one row: CPU of the process');
  const input = join(folder, 'one-row.jsonl');
  const output = join(folder, 'one-row-output');
  await writeFile(input, `${firstRows('openai', 1).join('')}\n`);
  const once = (run: () => Promise<{ cpu: number }>) => async () => {
    await rm(`${output}.jsonl`, { force: true });
    return (await run()).cpu * 1000;
  };
  const results = await raceStarts('convert', 'floor', [
    ['the row read and written', once(() => runFloor({ input, output, cores: 1 }))],
    ...pairs.map(
      (ends): StartArm => [
        `${ends.from} → ${ends.to}`,
        once(() => runConvert({ input, output: `${output}.jsonl`, cores: 1 }, ends)),
      ],
    ),
  ]);
  const slow = worst(results, ({ ratio }) => ratio);
  hold('convert, one row ÷ read and written', slow.ratio, limits.CONVERT_START, times, ` (${slow.name})`);
  return results;
}
