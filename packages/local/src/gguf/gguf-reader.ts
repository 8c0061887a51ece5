// Reads the metadata of a GGUF file: the key-value pairs before the weights. Every length in the file is checked against
// what is there and against a limit, so that a hostile file gives an error and never a large allocation.
//
//   "GGUF" | version u32 | tensors u64 | pairs u64 | pair* | tensor infos | weights
//   pair:   key string | type u32 | value
//   string: length u64 | bytes
//   array:  type u32 | count u64 | value*

import { LocalModelError } from '../local-model-error.js';

/** Where the bytes come from: a file, or bytes in memory. */
export interface ByteSource {
  readonly size: number;
  /** Gives the bytes from `offset` on: as many as asked for, fewer only at the end. */
  read(offset: number, length: number): Uint8Array;
}

export type GgufValue = string | number | bigint | boolean | GgufValue[];

export interface GgufHeader {
  version: number;
  tensors: number;
  values: ReadonlyMap<string, GgufValue>;
  /** Bytes up to the end of the metadata. */
  length: number;
}

export const GGUF_LIMITS = {
  /** Bytes of all metadata. The largest vocabularies take 10 MB. */
  header: 256 * 1024 ** 2,
  pairs: 16_384,
  key: 65_535,
  /** Bytes of one string, such as a chat template. */
  string: 8 * 1024 ** 2,
  /** Elements of one array, such as the tokens and merges of a vocabulary. */
  array: 4_000_000,
  /** Arrays in arrays. */
  depth: 3,
  tensors: 1_000_000,
} as const;

export function readGgufHeader(source: ByteSource): GgufHeader {
  const input = new Input(source);
  if (input.text(4) !== 'GGUF')
    throw bad('it does not begin with GGUF; models in other formats have to be converted');
  const version = input.u32();
  if (version === 0x02000000 || version === 0x03000000) throw bad('its numbers are big-endian');
  if (version < 2 || version > 3) throw bad(`its version is ${version}; 2 and 3 can be read`);
  const tensors = input.count('tensors', GGUF_LIMITS.tensors);
  const pairs = input.count('metadata pairs', GGUF_LIMITS.pairs);
  const values = new Map<string, GgufValue>();
  for (let at = 0; at < pairs; at++) {
    const key = input.string(GGUF_LIMITS.key);
    if (values.has(key)) throw bad(`the key ${JSON.stringify(key.slice(0, 80))} is there twice`);
    values.set(key, readValue(input, input.u32(), 0));
  }
  return { version, tensors, values, length: input.offset };
}

const STRING = 8;
const ARRAY = 9;

/** The readers of plain values, by their number in the file, and the bytes each takes. */
const plain: Readonly<Record<number, [size: number, read: (view: DataView, at: number) => GgufValue]>> = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getFloat32(at, true)],
  7: [1, (view, at) => view.getUint8(at) !== 0],
  10: [8, (view, at) => view.getBigUint64(at, true)],
  11: [8, (view, at) => view.getBigInt64(at, true)],
  12: [8, (view, at) => view.getFloat64(at, true)],
};

function readValue(input: Input, type: number, depth: number): GgufValue {
  if (type === STRING) return input.string(GGUF_LIMITS.string);
  if (type === ARRAY) return readArray(input, depth + 1);
  const reader = plain[type];
  if (!reader) throw bad(`there is a value of the unknown type ${type}`);
  const [size, read] = reader;
  return read(input.view(size), 0);
}

function readArray(input: Input, depth: number): GgufValue[] {
  if (depth > GGUF_LIMITS.depth) throw bad('its arrays are nested too deeply');
  const type = input.u32();
  const count = input.count('elements in an array', GGUF_LIMITS.array);
  const reader = plain[type];
  if (!reader) return Array.from({ length: count }, () => readValue(input, type, depth));
  const [size, read] = reader;
  const view = input.view(count * size);
  return Array.from({ length: count }, (_, at) => read(view, at * size));
}

/** Bytes that are read from the source at once. */
const PORTION = 1024 ** 2;

class Input {
  offset = 0;
  #bytes: Uint8Array = new Uint8Array();
  /** Where `#bytes` begins in the source. */
  #start = 0;
  readonly #decoder = new TextDecoder();

  constructor(readonly source: ByteSource) {}

  u32(): number {
    return this.view(4).getUint32(0, true);
  }

  /** Reads a count of things, of which each takes at least a byte. */
  count(what: string, most: number): number {
    const count = this.view(8).getBigUint64(0, true);
    if (count > BigInt(most)) throw bad(`it says that it has ${count} ${what}; ${most} are the most`);
    if (Number(count) > this.source.size) throw cutOff();
    return Number(count);
  }

  string(most: number): string {
    const length = this.view(8).getBigUint64(0, true);
    if (length > BigInt(most)) throw bad(`a text of ${length} bytes is in it; ${most} are the most`);
    return this.text(Number(length));
  }

  text(length: number): string {
    return this.#decoder.decode(this.#take(length));
  }

  view(length: number): DataView {
    const { buffer, byteOffset } = this.#take(length);
    return new DataView(buffer, byteOffset, length);
  }

  #take(length: number): Uint8Array {
    if (this.offset + length > this.source.size) throw cutOff();
    if (this.offset + length > GGUF_LIMITS.header) throw bad('its metadata is too large');
    let from = this.offset - this.#start;
    if (from + length > this.#bytes.length) {
      this.#bytes = this.source.read(this.offset, Math.max(PORTION, length));
      this.#start = this.offset;
      from = 0;
      if (this.#bytes.length < length) throw cutOff();
    }
    this.offset += length;
    return this.#bytes.subarray(from, from + length);
  }
}

function bad(reason: string): LocalModelError {
  return new LocalModelError('bad-file', `This is no GGUF file that can be read: ${reason}.`);
}

function cutOff(): LocalModelError {
  return bad('it ends within its metadata, so the download may be incomplete');
}
