import { readFileSync } from 'node:fs';
import { readGguf } from '@dragoman/tiny';
import { describe, expect, it } from 'vitest';
import { ggufOf } from './gguf-of.js';
import { readSafetensors, writeSafetensors } from './safetensors.js';
import { tensorsOf } from './tensors-of.js';
import { Tokenizer, type Vocabulary } from './tokenizer.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url));

/** Factors of 16 bits with 32 numbers of 8. */
const BLOCK = 34;

describe('the weights of the package', () => {
  it('come back as they were: GGUF, safetensors, GGUF', () => {
    const model = read('../../model/tiny.gguf');
    const tensors = readSafetensors(writeSafetensors(tensorsOf(model)));
    const vocabulary = JSON.parse(read('../vocabulary.json').toString()) as Vocabulary;
    const again = readGguf(ggufOf(tensors, new Tokenizer(vocabulary), 'q8_0'));
    const before = readGguf(model);
    expect(again.metadata).toEqual(before.metadata);
    expect([...again.tensors.keys()]).toEqual([...before.tensors.keys()]);
    for (const [name, tensor] of before.tensors)
      expect(differing(tensor, again.tensors.get(name) as GgufTensor), name).toEqual([]);
  });
});

type GgufTensor = NonNullable<ReturnType<ReturnType<typeof readGguf>['tensors']['get']>>;

/** The places of blocks that differ. One whose factor is 0 stands for zeros, whatever numbers it holds. */
function differing(one: GgufTensor, other: GgufTensor): number[] {
  if (one.type !== 'q8_0') return Buffer.compare(one.data, other.data) === 0 ? [] : [0];
  const found: number[] = [];
  for (let at = 0; at < one.data.length; at += BLOCK) {
    const [left, right] = [one, other].map(({ data }) => data.subarray(at, at + BLOCK)) as [
      Uint8Array,
      Uint8Array,
    ];
    const isZero = [...left.subarray(0, 2), ...right.subarray(0, 2)].every((byte) => byte === 0);
    if (!isZero && Buffer.compare(left, right) !== 0) found.push(at);
  }
  return found;
}

describe('safetensors', () => {
  it('hold numbers of 32 and of 16 bits', () => {
    const weights = new Map([['a', { shape: [2, 1], data: Float32Array.of(1.5, -0.1) }]]);
    const file = writeSafetensors(weights);
    expect(readSafetensors(file)).toEqual(weights);
    const head = '{"__metadata__":{"format":"pt"},"b":{"dtype":"F16","shape":[3],"data_offsets":[0,6]}}';
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(head.length));
    const numbers = Buffer.from([0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00]);
    const half = Buffer.concat([length, Buffer.from(head), numbers]);
    expect(readSafetensors(half).get('b')).toEqual({ shape: [3], data: Float32Array.of(1, -2, 2 ** -24) });
  });

  it('of other types are refused', () => {
    const file = writeSafetensors(new Map([['a', { shape: [1], data: Float32Array.of(1) }]]));
    const other = Buffer.from(file.toString('latin1').replace('F32', 'I32'), 'latin1');
    expect(() => readSafetensors(other)).toThrow('I32');
  });
});
