// Reads and writes weights as safetensors: a header of JSON with the places of the tensors, then their numbers.

import { fromHalf } from './half-floats.js';

export interface Tensor {
  shape: number[];
  data: Float32Array;
}

export type Tensors = Map<string, Tensor>;

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

const LENGTH = 8;

export function readSafetensors(file: Buffer): Tensors {
  const start = LENGTH + Number(file.readBigUInt64LE(0));
  const { __metadata__: _, ...head } = JSON.parse(file.toString('utf8', LENGTH, start)) as Record<
    string,
    Entry
  >;
  return new Map(
    Object.entries(head).map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from, to],
        },
      ]) => {
        const data = numbersOf(file.subarray(start + from, start + to), dtype);
        return [name, { shape, data }];
      },
    ),
  );
}

function numbersOf(bytes: Buffer, dtype: string): Float32Array {
  // A copy begins at a multiple of four.
  const { buffer } = Uint8Array.from(bytes);
  if (dtype === 'F32') return new Float32Array(buffer);
  if (dtype !== 'F16') throw new Error(`numbers of the type ${dtype} are not known here`);
  const halves = new Uint16Array(buffer);
  const numbers = new Float32Array(halves.length);
  for (let at = 0; at < numbers.length; at++) numbers[at] = fromHalf(halves[at] as number);
  return numbers;
}

/** In 32 bits, which hold the eight bits and the factor of a quantised weight exactly. */
export function writeSafetensors(tensors: Tensors): Buffer {
  const head: Record<string, Entry> = {};
  const bodies: Buffer[] = [];
  let place = 0;
  for (const [name, { shape, data }] of tensors) {
    const body = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    head[name] = { dtype: 'F32', shape, data_offsets: [place, place + body.length] };
    bodies.push(body);
    place += body.length;
  }
  const text = JSON.stringify(head);
  // Blanks behind the header, so that the numbers begin at a multiple of eight.
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / LENGTH) * LENGTH));
  const length = Buffer.alloc(LENGTH);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...bodies]);
}
