// node --expose-gc memory-probe.js <dialect> <kind>: one stream, the heap at intervals, as JSON. Run by memory.ts.

import { createParser, findDialect } from '@dragoman/core';
import { callText, fileText, MB, prose, tools } from './inputs.js';
import { charactersOf } from './read.js';

const TOTAL = 64 * MB;
const STEPS = 32;
const DELTA = 64;

const [name = 'hermes', kind = 'prose'] = process.argv.slice(2);
const dialect = findDialect(name);
// With the default limits.
const parser = createParser(dialect, { tools });
const { head, argument } = callText(dialect, fileText(MB));
const block = pieces(kind === 'argument' ? argument : prose(MB));

const start = heap();
const samples: number[] = [];
let seen = charactersOf(parser.feed(kind === 'argument' ? head : kind === 'reasoning' ? '<think>' : ''));
let fed = 0;
for (let step = 0; step < STEPS; step++) {
  for (let at = 0; fed < (TOTAL / STEPS) * (step + 1); at = (at + 1) % block.length) {
    // Decoded anew each time, as text from a socket is: nothing is shared with the input.
    const delta = (block[at] as Buffer).toString('utf8');
    fed += delta.length;
    seen += charactersOf(parser.feed(delta));
  }
  samples.push(heap() - start);
}
if (kind !== 'argument' && seen < fed / 2) throw new Error('characters were lost');
const half = samples[STEPS / 2 - 1] as number;
const last = samples.at(-1) as number;
const most = Math.max(...samples);
process.stdout.write(
  JSON.stringify({
    dialect: dialect.name,
    kind,
    characters: fed,
    samples,
    most,
    slope: (last - (samples[0] as number)) / (fed * (1 - 1 / STEPS)),
    lateSlope: (last - half) / (fed / 2),
  }),
);
parser.finish();

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function pieces(text: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < text.length; at += DELTA) found.push(Buffer.from(text.slice(at, at + DELTA), 'utf8'));
  return found;
}
