// node --expose-gc bridge-memory-probe.js <api> <mode> <dialect> <kind>: one long answer in deltas of four characters
// through the bridge, the heap at intervals, as JSON. Run by bridge-part.ts.

import { type AnswerEvent, findDialect } from '@dragoman/core';
import type { Upstream } from '@dragoman/core/bridge';
import { type BridgeMode, bridgeOptions, type ClientApi, readThrough } from './exchange.js';
import { callText, fileText, MB, prose } from './inputs.js';

export interface BridgeMemory {
  api: string;
  mode: string;
  dialect: string;
  kind: string;
  characters: number;
  /** Bytes of heap above the start, after a full collection, at even intervals. */
  samples: number[];
  /** Bytes by which the heap grows for each character. */
  slope: number;
}

const TOTAL = 4 * MB;
const STEPS = 16;
const DELTA = 4;

const [api = 'openai-chat', mode = 'emulate', dialect = 'hermes', kind = 'prose'] = process.argv.slice(2);
const { head, argument, tail } = callText(findDialect(dialect), fileText(MB));
// Bytes outside the heap, of which each delta is decoded anew, as from a socket.
const block = Buffer.from(kind === 'argument' ? argument : prose(MB), 'utf16le');
const samples: number[] = [];
let start = 0;

async function* ask(): AsyncGenerator<AnswerEvent> {
  yield { type: 'answer-start' };
  start = heap();
  if (kind === 'argument') yield { type: 'text-delta', text: head };
  for (let fed = 0; fed < TOTAL; ) {
    const at = (2 * fed) % block.length;
    const text = block.toString('utf16le', at, Math.min(block.length, at + 2 * DELTA));
    fed += text.length;
    yield { type: 'text-delta', text };
    if (fed >= (TOTAL / STEPS) * (samples.length + 1)) samples.push(heap() - start);
  }
  if (kind === 'argument') yield { type: 'text-delta', text: tail };
  yield { type: 'finish', reason: 'stop' };
}

const upstream: Upstream = { takes: 'messages', tools: mode === 'heal', media: false, ask };
const bytes = await readThrough(api as ClientApi, {
  ...bridgeOptions(mode as BridgeMode, dialect),
  upstream,
});
if (bytes < TOTAL) throw new Error('characters were lost');
const slope = ((samples.at(-1) as number) - (samples[0] as number)) / (TOTAL * (1 - 1 / STEPS));
const result: BridgeMemory = { api, mode, dialect, kind, characters: TOTAL, samples, slope };
process.stdout.write(JSON.stringify(result));

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
