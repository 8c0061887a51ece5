// Writes GGUF files with random weights, for tests.

import type { GgufFile, TensorType } from './gguf.js';

const valueTypes = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
const tensorTypes: Record<TensorType, number> = { f32: 0, f16: 1, q8_0: 8 };

type Written =
  | ['u32' | 'f32', number]
  | ['bool', boolean]
  | ['string', string]
  | ['array', 'string', readonly string[]]
  | ['array', 'f32' | 'i32', readonly number[]];

interface WrittenTensor {
  name: string;
  shape: readonly number[];
  type: TensorType;
  values: Float32Array;
}

class Bytes {
  #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  u32(value: number): this {
    return this.raw(new Uint8Array(Uint32Array.of(value).buffer));
  }

  u64(value: number): this {
    return this.u32(value).u32(0);
  }

  f32(value: number): this {
    return this.raw(new Uint8Array(Float32Array.of(value).buffer));
  }

  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    return this.u64(bytes.length).raw(bytes);
  }

  raw(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  pad(): this {
    while (this.#bytes.length % 32 !== 0) this.#bytes.push(0);
    return this;
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

function writeGguf(metadata: Record<string, Written>, tensors: readonly WrittenTensor[]): Uint8Array {
  const out = new Bytes().raw(new TextEncoder().encode('GGUF')).u32(3);
  out.u64(tensors.length).u64(Object.keys(metadata).length);
  for (const [key, [type, ...value]] of Object.entries(metadata)) {
    out.text(key).u32(valueTypes[type]);
    writeValue(out, type, value);
  }
  const data = new Bytes();
  for (const { name, shape, type, values } of tensors) {
    out.text(name).u32(shape.length);
    for (const size of shape) out.u64(size);
    out.u32(tensorTypes[type]).u64(data.length);
    data.raw(tensorBytes(type, values)).pad();
  }
  return out.pad().raw(data.done()).done();
}

function writeValue(out: Bytes, type: string, value: readonly unknown[]): void {
  if (type === 'u32' || type === 'i32') out.u32(value[0] as number);
  else if (type === 'f32') out.f32(value[0] as number);
  else if (type === 'bool') out.raw(Uint8Array.of(value[0] ? 1 : 0));
  else if (type === 'string') out.text(value[0] as string);
  else {
    const [of, list] = value as ['string' | 'f32' | 'i32', readonly unknown[]];
    out.u32(valueTypes[of]).u64(list.length);
    for (const item of list) writeValue(out, of, [item]);
  }
}

function tensorBytes(type: TensorType, values: Float32Array): Uint8Array {
  if (type === 'f32') return new Uint8Array(values.slice().buffer);
  if (type === 'f16') return new Uint8Array(Uint16Array.from(values, toHalf).buffer);
  const out = new Bytes();
  for (let at = 0; at < values.length; at += 32) {
    const block = values.subarray(at, at + 32);
    const scale = Math.max(...block.map(Math.abs)) / 127;
    const half = toHalf(scale);
    out.raw(Uint8Array.of(half & 255, half >> 8));
    out.raw(new Uint8Array(Int8Array.from(block, (value) => Math.round(scale ? value / scale : 0)).buffer));
  }
  return out.done();
}

/** For values of the usual sizes. */
function toHalf(value: number): number {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | (((exponent + 15) << 10) + Math.round((size / 2 ** exponent - 1) * 1024));
}

/** A vocabulary with all that a tokenizer knows. */
function smallVocabulary(): { texts: string[]; types: number[]; scores: number[] } {
  const texts: string[] = [];
  const types: number[] = [];
  const scores: number[] = [];
  const add = (type: number, score: number, ...added: string[]) => {
    for (const text of added) {
      texts.push(text);
      types.push(type);
      scores.push(score);
      if (type === 1) score--;
    }
  };
  add(2, 0, '<|pad|>');
  add(3, 0, '<|begin|>', '<|end|>', '<|system|>', '<|user|>', '<|assistant|>', '<|tool|>');
  add(3, 0, '<tool_call>', '</tool_call>', '<｜tool▁calls▁begin｜>', '<x>');
  add(4, 0, '{"name": "', '", "arguments": {"', '": "', '"}}\n', '\n\n', '## Tools');
  for (let byte = 0; byte < 256; byte++) {
    const hex = byte.toString(16).toUpperCase().padStart(2, '0');
    add(byte === 32 ? 1 : 6, byte === 32 ? -1e6 : 0, byte === 32 ? '\u2581' : `<0x${hex}>`);
  }
  add(1, -1, 'th', 'in', 'er', 'the', '\u2581the', 'at', 'we', 'wea', 'ther', 'weather', 'is', '\u2581is');
  add(
    1,
    -20,
    'os',
    'slo',
    'oslo',
    'get',
    '_we',
    'get_',
    'ci',
    'ty',
    'city',
    '天',
    '天气',
    '<x',
    'aa',
    'aaa',
    '\u2581a',
  );
  return { texts, types, scores };
}

export interface RandomModel {
  layers?: number;
  width?: number;
  heads?: number;
  keyHeads?: number;
  feedForward?: number;
  context?: number;
  type?: TensorType;
  seed?: number;
  /** An output matrix of its own. */
  untied?: boolean;
}

export function randomModel(options: RandomModel = {}): Uint8Array {
  const { layers = 2, width = 64, heads = 4, keyHeads = heads, feedForward = 96, context = 128 } = options;
  const { type = 'q8_0', seed = 1, untied = false } = options;
  const { texts, types, scores } = smallVocabulary();
  const headSize = width / heads;
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const matrix = (name: string, size: number, rows: number): WrittenTensor => {
    const values = Float32Array.from({ length: size * rows }, () => (random() * 2) / Math.sqrt(size));
    return { name, shape: [size, rows], type, values };
  };
  const vector = (name: string): WrittenTensor => {
    const values = Float32Array.from({ length: width }, () => 1 + random() / 4);
    return { name, shape: [width], type: 'f32', values };
  };
  const blocks = Array.from({ length: layers }, (_, at) => [
    vector(`blk.${at}.attn_norm.weight`),
    matrix(`blk.${at}.attn_q.weight`, width, width),
    matrix(`blk.${at}.attn_k.weight`, width, keyHeads * headSize),
    matrix(`blk.${at}.attn_v.weight`, width, keyHeads * headSize),
    matrix(`blk.${at}.attn_output.weight`, width, width),
    vector(`blk.${at}.ffn_norm.weight`),
    matrix(`blk.${at}.ffn_gate.weight`, width, feedForward),
    matrix(`blk.${at}.ffn_up.weight`, width, feedForward),
    matrix(`blk.${at}.ffn_down.weight`, feedForward, width),
  ]).flat();
  return writeGguf(
    {
      'general.architecture': ['string', 'llama'],
      'general.name': ['string', 'random'],
      'llama.context_length': ['u32', context],
      'llama.embedding_length': ['u32', width],
      'llama.block_count': ['u32', layers],
      'llama.feed_forward_length': ['u32', feedForward],
      'llama.attention.head_count': ['u32', heads],
      'llama.attention.head_count_kv': ['u32', keyHeads],
      'llama.attention.layer_norm_rms_epsilon': ['f32', 1e-5],
      'llama.rope.dimension_count': ['u32', headSize],
      'tokenizer.ggml.model': ['string', 'llama'],
      'tokenizer.ggml.tokens': ['array', 'string', texts],
      'tokenizer.ggml.scores': ['array', 'f32', scores],
      'tokenizer.ggml.token_type': ['array', 'i32', types],
      'tokenizer.ggml.unknown_token_id': ['u32', 0],
      'tokenizer.ggml.bos_token_id': ['u32', 1],
      'tokenizer.ggml.eos_token_id': ['u32', 2],
      'tokenizer.ggml.add_bos_token': ['bool', false],
      'tokenizer.ggml.add_space_prefix': ['bool', false],
    },
    [
      matrix('token_embd.weight', width, texts.length),
      vector('output_norm.weight'),
      ...(untied ? [matrix('output.weight', width, texts.length)] : []),
      ...blocks,
    ],
  );
}

/** The forward pass in 64-bit floats, as plainly as it can be written: gives the logits behind the last token. */
export function referenceLogits(
  { metadata, tensors }: GgufFile,
  floats: (name: string) => Float32Array,
  tokens: readonly number[],
): number[] {
  const size = (name: string) => Number(metadata.get(`llama.${name}`));
  const [width, heads] = [size('embedding_length'), size('attention.head_count')];
  const keyHeads = size('attention.head_count_kv');
  const headSize = width / heads;
  const base = Number(metadata.get('llama.rope.freq_base') ?? 10000);
  const times = (name: string, x: readonly number[]) => {
    const weights = floats(name);
    return Array.from({ length: weights.length / x.length }, (_, row) =>
      x.reduce((sum, value, at) => sum + value * (weights[row * x.length + at] ?? 0), 0),
    );
  };
  const norm = (name: string, x: readonly number[]) => {
    const weights = floats(name);
    const mean = x.reduce((sum, value) => sum + value * value, 0) / x.length;
    return x.map((value, at) => (value / Math.sqrt(mean + 1e-5)) * (weights[at] ?? 0));
  };
  const plus = (x: readonly number[], y: readonly number[]) => x.map((value, at) => value + (y[at] ?? 0));
  const turn = (x: readonly number[], place: number) =>
    x.map((value, at) => {
      const within = at % headSize;
      const angle = place * base ** (-(within - (within % 2)) / headSize);
      const other = x[at % 2 === 0 ? at + 1 : at - 1] ?? 0;
      return value * Math.cos(angle) + (at % 2 === 0 ? -other : other) * Math.sin(angle);
    });
  const embedding = floats('token_embd.weight');
  let rows = tokens.map((token) => [...embedding.subarray(token * width, (token + 1) * width)]);
  for (let layer = 0; layer < size('block_count'); layer++) {
    const name = (part: string) => `blk.${layer}.${part}.weight`;
    const normed = rows.map((x) => norm(name('attn_norm'), x));
    const keys = normed.map((x, place) => turn(times(name('attn_k'), x), place));
    const values = normed.map((x) => times(name('attn_v'), x));
    rows = rows.map((x, place) => {
      const q = turn(times(name('attn_q'), normed[place] ?? []), place);
      const y = q.map(() => 0);
      for (let head = 0; head < heads; head++) {
        const from = Math.floor((head * keyHeads) / heads) * headSize;
        const scores = keys.slice(0, place + 1).map((key) => {
          let dot = 0;
          for (let at = 0; at < headSize; at++) dot += (q[head * headSize + at] ?? 0) * (key[from + at] ?? 0);
          return Math.exp(dot / Math.sqrt(headSize));
        });
        const total = scores.reduce((a, b) => a + b, 0);
        for (let at = 0; at < headSize; at++)
          y[head * headSize + at] = scores.reduce(
            (sum, score, j) => sum + (score / total) * (values[j]?.[from + at] ?? 0),
            0,
          );
      }
      return plus(x, times(name('attn_output'), y));
    });
    rows = rows.map((x) => {
      const h = norm(name('ffn_norm'), x);
      const up = times(name('ffn_up'), h);
      const gate = times(name('ffn_gate'), h).map((g, at) => (g / (1 + Math.exp(-g))) * (up[at] ?? 0));
      return plus(x, times(name('ffn_down'), gate));
    });
  }
  const last = norm('output_norm.weight', rows.at(-1) ?? []);
  return times(tensors.has('output.weight') ? 'output.weight' : 'token_embd.weight', last);
}
