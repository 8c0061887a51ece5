// The part of the bench about the tiny model: CPU of a token, read in a prompt or written, by llama.cpp and by our own
// runtime, against plain multiplications of as many floats in JavaScript.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Llama, readGguf } from '@dragoman/tiny';
import * as limits from './limits.js';
import { cpuOf } from './measure.js';
import { type NativeSpeed, nativeSpeeds } from './native-speed.js';
import { type CheckLimit, heading, note, progress, table, times } from './report.js';

const weights = fileURLToPath(new URL('../../packages/tiny/model/tiny.gguf', import.meta.url));

/** Tokens of the prompt; as many are written behind it as make half of it. */
const PROMPT = 256;
const WRITTEN = 128;
const ROUNDS = 5;

interface TinySpeed {
  kernel: string;
  /** Milliseconds of CPU a token. */
  read: number;
  written: number;
}

export async function tinyPart(hold: CheckLimit): Promise<TinySpeed[] | undefined> {
  heading(`The tiny model: a prompt of ${PROMPT} tokens, and ${WRITTEN} written behind it, on one core`);
  if (!existsSync(weights)) {
    note('The weights are not on this machine.');
    return undefined;
  }
  const file = readGguf(readFileSync(weights));
  const { width, layers, feedForward, vocabulary } = new Llama(file, { slots: 1 }).sizes;
  const body = layers * (4 * width * width + 3 * width * feedForward);
  const floor = { kernel: 'floor', read: floorOf(body), written: floorOf(body + vocabulary * width) };
  const wasm = speedOf(new Llama(file, { slots: 1, kernel: 'wasm' }), ROUNDS);
  const plain = speedOf(new Llama(file, { slots: 1, kernel: 'plain' }), 1);
  progress('tiny: llama.cpp');
  const native = await nativeSpeeds(weights);
  const results = [floor, ...('speeds' in native ? nativeRows(native.speeds) : []), wasm, plain];
  table(
    ['', 'read: tokens a second', 'floor', 'written: tokens a second', 'floor'],
    results.map(({ kernel, read, written }) => [
      kernel,
      (1000 / read).toFixed(0),
      times(read / floor.read),
      (1000 / written).toFixed(0),
      times(written / floor.written),
    ]),
  );
  if ('failed' in native) note(`No row of llama.cpp: ${native.failed}`);
  hold('tiny model: a token of a prompt, to the floor', wasm.read / floor.read, limits.TINY_READ, times);
  hold('tiny model: a token written, to the floor', wasm.written / floor.written, limits.TINY_WRITTEN, times);
  return results;
}

/** A held answer has the prompt of a free one. */
function nativeRows(speeds: readonly NativeSpeed[]): TinySpeed[] {
  const perToken = (wanted: NativeSpeed['what']) =>
    1000 / (speeds.find(({ what }) => what === wanted)?.processor ?? Number.NaN);
  const read = perToken('prompt');
  return [
    { kernel: 'llama.cpp', read, written: perToken('free') },
    { kernel: 'llama.cpp, held to a call', read, written: perToken('held to a call') },
  ];
}

function speedOf(llama: Llama, rounds: number): TinySpeed {
  const { vocabulary } = llama.sizes;
  const tokens = Array.from({ length: PROMPT + WRITTEN }, (_, at) => (at * at * 31 + 7) % vocabulary);
  let [read, written] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    progress(`tiny: ${llama.kernel.name}, round ${round + 1}`);
    const prompt = cpuOf(() => {
      for (let at = 0; at < PROMPT; at += llama.portion)
        llama.read(0, at, tokens.slice(at, Math.min(at + llama.portion, PROMPT)), false);
      return 1;
    });
    const answer = cpuOf(() => {
      for (let at = PROMPT; at < tokens.length; at++) llama.read(0, at, tokens.slice(at, at + 1), true);
      return 1;
    });
    read = Math.min(read, prompt / PROMPT);
    written = Math.min(written, answer / WRITTEN);
  }
  return { kernel: llama.kernel.name, read, written };
}

/** Milliseconds of CPU for this many products of floats and their sums. */
function floorOf(count: number): number {
  const size = 4 * Math.floor(count / 4);
  const values = Float32Array.from({ length: size }, (_, at) => (at % 17) - 8);
  const x = Float32Array.from({ length: 256 }, (_, at) => at / 256);
  return Math.min(...Array.from({ length: 30 }, () => cpuOf(() => products(values, x))));
}

function products(values: Float32Array, x: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = 0; at < values.length; at += 4) {
    const place = at & 255;
    a += (values[at] as number) * (x[place] as number);
    b += (values[at + 1] as number) * (x[place + 1] as number);
    c += (values[at + 2] as number) * (x[place + 2] as number);
    d += (values[at + 3] as number) * (x[place + 3] as number);
  }
  return a + b + c + d;
}
