// Writes batches of tokens for the training, until a file named `stop` is in the folder:
//   node write-batches.js <number of this process> <folder> <tokens of a batch>
//
// A batch is a file of 16-bit numbers, rows of equal length: `<length>_<process>_<count>.bin`. The highest bit of a number
// says that the model is to write the token itself.

import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeExample } from './example.js';
import { Tokenizer, type Vocabulary } from './tokenizer.js';

const LENGTHS = [128, 192, 256, 384, 640, 1024, 1536, 2048];
/** The most files that wait. */
const MOST_FILES = 1500;
const OWN = 0x8000;

const [number = '0', folder = 'data', size = '65536'] = process.argv.slice(2);
const vocabulary = readFileSync(new URL('../vocabulary.json', import.meta.url), 'utf8');
const tokenizer = new Tokenizer(JSON.parse(vocabulary) as Vocabulary);
const rows = new Map<number, Uint16Array[]>(LENGTHS.map((length) => [length, []]));
let written = 0;

// Tests have seeds from 2,000,000,000 on.
for (let seed = 10_000_000 + Number(number) * 50_000_000; ; seed++) {
  const { prompt, answer } = makeExample(seed, { split: 'train' });
  const asked = tokenizer.encode(prompt);
  const wanted = tokenizer.encode(answer);
  const length = LENGTHS.find((most) => most >= asked.length + wanted.length);
  if (length === undefined) continue;
  const row = new Uint16Array(length);
  row.set(asked);
  row.set(
    wanted.map((id) => id | OWN),
    asked.length,
  );
  const list = rows.get(length) as Uint16Array[];
  list.push(row);
  if (list.length < Math.floor(Number(size) / length)) continue;
  rows.set(length, []);
  const name = join(folder, `${length}_${number}_${written++}`);
  writeFileSync(`${name}.tmp`, Buffer.concat(list.map(({ buffer }) => Buffer.from(buffer))));
  renameSync(`${name}.tmp`, `${name}.bin`);
  while (written % 4 === 0 && readdirSync(folder).length > MOST_FILES && !stopped()) pause(200);
  if (stopped()) break;
}

function stopped(): boolean {
  return existsSync(join(folder, 'stop'));
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
