// Reads a GGUF file: metadata, then the descriptions of the tensors, then their data, aligned.
//
//   GGUF | version | tensors | pairs | (key, type, value)… | (name, shape, type, offset)… | padding | data…
//
// The file may come from anywhere: sizes in it are checked against its length before anything is made of them.

type GgufValue = number | bigint | boolean | string | GgufValue[];

export type TensorType = 'f32' | 'f16' | 'q8_0';

export interface GgufTensor {
  /** The length of a row first, as in the file. */
  shape: number[];
  type: TensorType;
  data: Uint8Array;
}

export interface GgufFile {
  metadata: ReadonlyMap<string, GgufValue>;
  tensors: ReadonlyMap<string, GgufTensor>;
}

/** The file cannot be read, or holds what this runtime does not know. */
export class GgufError extends Error {
  override readonly name = 'GgufError';
}

/** Values of a block, and its bytes. */
const blocks: Readonly<Record<TensorType, readonly [values: number, bytes: number]>> = {
  f32: [1, 4],
  f16: [1, 2],
  q8_0: [32, 34],
};
const tensorTypes: Readonly<Record<number, TensorType>> = { 0: 'f32', 1: 'f16', 8: 'q8_0' };

export function readGguf(bytes: Uint8Array): GgufFile {
  const reader = new Reader(bytes);
  if (reader.word() !== 0x46554747) throw new GgufError('this is no GGUF file');
  const version = reader.word();
  if (version !== 2 && version !== 3) throw new GgufError(`GGUF version ${version} is not known here`);
  const [tensors, pairs] = [reader.count(), reader.count()];
  const metadata = new Map<string, GgufValue>();
  for (let at = 0; at < pairs; at++) metadata.set(reader.text(), reader.value(reader.word(), 0));
  const infos = Array.from({ length: tensors }, () => tensorInfo(reader));
  const alignment = Number(metadata.get('general.alignment') ?? 32);
  if (!Number.isInteger(alignment) || alignment < 1) throw new GgufError('the alignment is no size');
  const start = Math.ceil(reader.at / alignment) * alignment;
  return {
    metadata,
    tensors: new Map(
      infos.map(({ name, offset, ...tensor }) => {
        const data = bytes.subarray(start + offset, start + offset + tensor.size);
        if (data.length < tensor.size) throw cut();
        return [name, { shape: tensor.shape, type: tensor.type, data }];
      }),
    ),
  };
}

function tensorInfo(reader: Reader) {
  const name = reader.text();
  const dimensions = reader.word();
  if (dimensions > 4) throw new GgufError(`${name}: more than four dimensions`);
  const shape = Array.from({ length: dimensions }, () => reader.count());
  const number = reader.word();
  const offset = reader.count();
  const type = tensorTypes[number];
  if (!type) throw new GgufError(`${name}: type ${number} is not known here; use f32, f16 or q8_0`);
  const [values, size] = blocks[type];
  if ((shape[0] ?? 1) % values !== 0) throw new GgufError(`${name}: a row is no whole number of blocks`);
  return { name, shape, type, offset, size: (shape.reduce((a, b) => a * b, 1) / values) * size };
}

const ARRAY = 9;

class Reader {
  readonly #view: DataView;
  at = 0;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  word(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** A count of things that take at least a byte each, or a place in the file. */
  count(): number {
    const value = this.#view.getBigUint64(this.#take(8), true);
    if (value > BigInt(this.bytes.length)) throw cut();
    return Number(value);
  }

  text(): string {
    const length = this.count();
    const start = this.#take(length);
    return new TextDecoder().decode(this.bytes.subarray(start, start + length));
  }

  value(type: number, depth: number): GgufValue {
    const view = this.#view;
    switch (type) {
      case 0:
        return view.getUint8(this.#take(1));
      case 1:
        return view.getInt8(this.#take(1));
      case 2:
        return view.getUint16(this.#take(2), true);
      case 3:
        return view.getInt16(this.#take(2), true);
      case 4:
        return this.word();
      case 5:
        return view.getInt32(this.#take(4), true);
      case 6:
        return view.getFloat32(this.#take(4), true);
      case 7:
        return view.getUint8(this.#take(1)) !== 0;
      case 8:
        return this.text();
      case ARRAY: {
        if (depth > 3) throw new GgufError('the metadata is nested too deeply');
        const of = this.word();
        return Array.from({ length: this.count() }, () => this.value(of, depth + 1));
      }
      case 10:
        return view.getBigUint64(this.#take(8), true);
      case 11:
        return view.getBigInt64(this.#take(8), true);
      case 12:
        return view.getFloat64(this.#take(8), true);
      default:
        throw new GgufError(`a value of type ${type} is not known here`);
    }
  }

  #take(length: number): number {
    const start = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw cut();
    return start;
  }
}

function cut(): GgufError {
  return new GgufError('the file is cut off');
}

/** Gives the values of a tensor. */
export function toFloats({ type, data, shape }: GgufTensor): Float32Array {
  const length = shape.reduce((a, b) => a * b, 1);
  const out = new Float32Array(length);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at < length; at++) {
    if (type === 'f32') out[at] = view.getFloat32(at * 4, true);
    else if (type === 'f16') out[at] = fromHalf(view.getUint16(at * 2, true));
    else {
      const block = (at >> 5) * 34;
      out[at] = fromHalf(view.getUint16(block, true)) * view.getInt8(block + 2 + (at & 31));
    }
  }
  return out;
}

/** Gives the value of a 16-bit float. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
