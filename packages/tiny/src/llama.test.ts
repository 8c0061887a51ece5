import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type RandomModel, randomModel, referenceLogits } from './gguf.fixture.js';
import { type GgufFile, readGguf, toFloats } from './gguf.js';
import { Llama } from './llama.js';

/** The largest difference to a forward pass in 64-bit floats with the same weights, where logits are about 1 to 5. */
const BOUND = { q8_0: 2e-3, f16: 1e-5, f32: 1e-5 };

const tokens = (count: number, of: number, seed = 1) =>
  Array.from({ length: count }, (_, at) => (seed * 7919 + at * at * 31 + at * 17) % of);

function logitsOf(llama: Llama, ids: readonly number[], portions: readonly number[]): Float32Array {
  let logits: Float32Array | undefined;
  for (let at = 0, turn = 0; at < ids.length; turn++) {
    const portion = ids.slice(at, at + (portions[turn % portions.length] ?? 1));
    logits = llama.read(0, at, portion, true);
    at += portion.length;
  }
  return logits as Float32Array;
}

function reference(file: GgufFile, ids: readonly number[]): number[] {
  const kept = new Map<string, Float32Array>();
  const floats = (name: string) => {
    const tensor = file.tensors.get(name);
    if (!tensor) throw new Error(name);
    const values = kept.get(name) ?? toFloats(tensor);
    kept.set(name, values);
    return values;
  };
  return referenceLogits(file, floats, ids);
}

const largest = (values: ArrayLike<number>) => Math.max(...Array.from(values, Math.abs));
const difference = (one: ArrayLike<number>, other: readonly number[]) =>
  largest(other.map((value, at) => value - (one[at] ?? Number.NaN)));

const models: RandomModel[] = [
  { type: 'q8_0' },
  { type: 'f16' },
  { type: 'f32', untied: true },
  { type: 'q8_0', width: 128, heads: 8, keyHeads: 2, feedForward: 160, layers: 3 },
  { type: 'f32', width: 96, heads: 2, feedForward: 64, layers: 1 },
];

describe.each(['wasm', 'plain'] as const)('the forward pass (%s)', (kernel) => {
  it.each(models)('gives the logits of a plain one in 64-bit floats: %j', (model) => {
    const file = readGguf(randomModel(model));
    const llama = new Llama(file, { slots: 1, kernel });
    expect(llama.kernel.name).toBe(kernel);
    for (const count of [1, 2, 7, 33]) {
      const ids = tokens(count, llama.sizes.vocabulary);
      const expected = reference(file, ids);
      expect(largest(expected)).toBeGreaterThan(0.5);
      expect(difference(logitsOf(llama, ids, [32]), expected)).toBeLessThan(BOUND[model.type ?? 'q8_0']);
    }
  });

  it('does not depend on how a prompt is cut, to the last bit', () => {
    const file = readGguf(randomModel({ keyHeads: 2, layers: 3 }));
    const ids = tokens(60, 250);
    const [whole, ...others] = [[32], [1], [5, 3], [31, 1, 4]].map((portions) =>
      logitsOf(new Llama(file, { slots: 1, kernel }), ids, portions),
    );
    for (const other of others) expect(other).toEqual(whole);
  });

  it('goes on from a copied beginning as from its own', () => {
    const file = readGguf(randomModel({ keyHeads: 2 }));
    const ids = tokens(40, 250);
    const llama = new Llama(file, { slots: 3, kernel });
    llama.read(2, 0, tokens(30, 250, 5), false);
    const whole = logitsOf(llama, ids, [20]);
    llama.copy(0, 2, 20);
    expect(llama.read(2, 20, ids.slice(20), true)).toEqual(whole);
  });
});

const weights = new URL('../model/tiny.gguf', import.meta.url);

describe.runIf(existsSync(weights))('the tiny model', () => {
  it('leaves its package below 10 MB', () => {
    expect(statSync(weights).size).toBeLessThan(9_500_000);
  });

  it('gives the logits of a plain forward pass in 64-bit floats', () => {
    const file = readGguf(readFileSync(weights));
    const llama = new Llama(file, { slots: 1 });
    const ids = tokens(12, llama.sizes.vocabulary);
    const expected = reference(file, ids);
    const found = logitsOf(llama, ids, [32]);
    expect(difference(found, expected) / largest(expected)).toBeLessThan(1e-3);
  });
});
