// Writes the weights as a GGUF file: node export-gguf.js <model.safetensors> <out.gguf> [q8_0|f16]

import { readFileSync, writeFileSync } from 'node:fs';
import { BEGIN_ID, BYTE_START, END_ID, PAD_ID, Tokenizer, type Vocabulary } from './tokenizer.js';

const [from = 'model.safetensors', to = 'tiny.gguf', kind = 'q8_0'] = process.argv.slice(2);
const HEADS = 8;
const CONTEXT = 2048;
const ALIGNMENT = 32;
const BLOCK = 32;

// --- the weights ---------------------------------------------------------------------------------------------

interface Tensor {
  shape: number[];
  data: Float32Array;
}

function readSafetensors(path: string): Map<string, Tensor> {
  const file = readFileSync(path);
  const length = Number(file.readBigUInt64LE(0));
  const head = JSON.parse(file.toString('utf8', 8, 8 + length)) as Record<
    string,
    { shape: number[]; data_offsets: [number, number] }
  >;
  const tensors = new Map<string, Tensor>();
  for (const [name, { shape, data_offsets }] of Object.entries(head)) {
    if (name === '__metadata__') continue;
    const [start, end] = data_offsets;
    const data = new Float32Array((end - start) / 2);
    for (let at = 0; at < data.length; at++)
      data[at] = fromHalf(file.readUInt16LE(8 + length + start + at * 2));
    tensors.set(name, { shape, data });
  }
  return tensors;
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const word = new Float32Array(1);
const wordBits = new Uint32Array(word.buffer);

function toHalf(value: number): number {
  word[0] = value;
  const bits = wordBits[0] as number;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 255) - 112;
  const fraction = bits & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent > 0) return sign | ((exponent << 10) + ((fraction + 0x1000) >>> 13));
  if (exponent < -10) return sign;
  const shift = 14 - exponent;
  return sign | (((fraction | 0x800000) + (1 << (shift - 1))) >>> shift);
}

function halves(data: Float32Array): Buffer {
  const out = Buffer.alloc(data.length * 2);
  for (let at = 0; at < data.length; at++) out.writeUInt16LE(toHalf(data[at] as number), at * 2);
  return out;
}

/** Blocks of 32 numbers of 8 bits with one scale. */
function blocks(data: Float32Array): Buffer {
  const out = Buffer.alloc((data.length / BLOCK) * (2 + BLOCK));
  for (let block = 0; block < data.length / BLOCK; block++) {
    const part = data.subarray(block * BLOCK, (block + 1) * BLOCK);
    const scale = part.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
    const place = block * (2 + BLOCK);
    out.writeUInt16LE(toHalf(scale), place);
    for (let at = 0; at < BLOCK; at++)
      out.writeInt8(scale === 0 ? 0 : Math.round((part[at] as number) / scale), place + 2 + at);
  }
  return out;
}

// --- the file ------------------------------------------------------------------------------------------------

const TYPES = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
type Type = keyof typeof TYPES;

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

function encoded(type: Exclude<Type, 'array'>, value: unknown): Buffer {
  switch (type) {
    case 'u32':
      return u32(value as number);
    case 'i32':
      return Buffer.from(Int32Array.of(value as number).buffer);
    case 'f32':
      return Buffer.from(Float32Array.of(value as number).buffer);
    case 'bool':
      return Buffer.from([Number(value)]);
    default:
      return text(value as string);
  }
}

const entries: Buffer[] = [];
function put(key: string, type: Exclude<Type, 'array'>, value: unknown): void {
  entries.push(Buffer.concat([text(key), u32(TYPES[type]), encoded(type, value)]));
}
function putAll(key: string, type: Exclude<Type, 'array'>, values: readonly unknown[]): void {
  const list = values.map((value) => encoded(type, value));
  entries.push(Buffer.concat([text(key), u32(TYPES.array), u32(TYPES[type]), u64(values.length), ...list]));
}

/** As the prompts of this project spell messages for it: see prompt.ts. */
const TEMPLATE =
  "<|tiny_begin|>{% for message in messages %}<|tiny_{{ message['role'] }}|>{{ message['content'] }}{% if message['role'] == 'assistant' %}<|tiny_end|>{% endif %}{% endfor %}{% if add_generation_prompt %}<|tiny_assistant|>{% endif %}";

const weights = readSafetensors(from);
const vocabulary = JSON.parse(
  readFileSync(new URL('../vocabulary.json', import.meta.url), 'utf8'),
) as Vocabulary;
const tokenizer = new Tokenizer(vocabulary);
const shapeOf = (name: string): number[] => (weights.get(name) as Tensor).shape;
const dim = shapeOf('nf')[0] as number;
const layers = [...weights.keys()].filter((name) => name.endsWith('.n1')).length;

put('general.architecture', 'string', 'llama');
put('general.name', 'string', 'dragoman-tiny');
put('general.license', 'string', 'mit');
put('general.file_type', 'u32', kind === 'f16' ? 1 : 7);
put('llama.context_length', 'u32', CONTEXT);
put('llama.embedding_length', 'u32', dim);
put('llama.block_count', 'u32', layers);
put('llama.feed_forward_length', 'u32', shapeOf('blocks.0.g.weight')[0]);
put('llama.attention.head_count', 'u32', HEADS);
put('llama.attention.head_count_kv', 'u32', HEADS);
put('llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5);
put('llama.rope.dimension_count', 'u32', dim / HEADS);
put('llama.rope.freq_base', 'f32', 10000);
put('llama.vocab_size', 'u32', tokenizer.size);
writeTokens();
put('tokenizer.chat_template', 'string', TEMPLATE);

/** Types of tokens: 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte. */
function writeTokens(): void {
  const texts: string[] = [];
  const types: number[] = [];
  const scores: number[] = [];
  const add = (value: string, type: number, score: number) => {
    texts.push(value);
    types.push(type);
    scores.push(score);
  };
  for (let id = 0; id < tokenizer.size; id++) {
    const own = tokenizer.texts[id] as string;
    const byte = id - BYTE_START;
    if (id < BYTE_START) add(own, id === PAD_ID ? 2 : 3, 0);
    // llama.cpp spells the space so, and never in bytes.
    else if (byte === 32) add('\u2581', 1, -1e6);
    else if (id < tokenizer.controlStart)
      add(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, 6, 0);
    else if (id < tokenizer.phraseStart) add(own, 3, 0);
    else if (id < tokenizer.characterStart) add(own, 4, 0);
    else if (id < tokenizer.partStart) add(own, 1, -1e6);
    else add(own, 1, tokenizer.partStart - id - 1);
  }
  put('tokenizer.ggml.model', 'string', 'llama');
  putAll('tokenizer.ggml.tokens', 'string', texts);
  putAll('tokenizer.ggml.scores', 'f32', scores);
  putAll('tokenizer.ggml.token_type', 'i32', types);
  put('tokenizer.ggml.unknown_token_id', 'u32', PAD_ID);
  put('tokenizer.ggml.bos_token_id', 'u32', BEGIN_ID);
  put('tokenizer.ggml.eos_token_id', 'u32', END_ID);
  put('tokenizer.ggml.padding_token_id', 'u32', PAD_ID);
  put('tokenizer.ggml.add_bos_token', 'bool', false);
  put('tokenizer.ggml.add_eos_token', 'bool', false);
  put('tokenizer.ggml.add_space_prefix', 'bool', false);
}

const NAMES: Readonly<Record<string, string>> = {
  n1: 'attn_norm',
  n2: 'ffn_norm',
  'q.weight': 'attn_q',
  'k.weight': 'attn_k',
  'v.weight': 'attn_v',
  'o.weight': 'attn_output',
  'g.weight': 'ffn_gate',
  'u.weight': 'ffn_up',
  'd.weight': 'ffn_down',
};

const infos: Buffer[] = [];
const bodies: Buffer[] = [];
let place = 0;
const padded = (data: Buffer) =>
  Buffer.concat([data, Buffer.alloc((ALIGNMENT - (data.length % ALIGNMENT)) % ALIGNMENT)]);
function tensor(name: string, source: string): void {
  const { shape, data } = weights.get(source) as Tensor;
  const flat = shape.length === 1;
  const type = flat ? 0 : kind === 'f16' ? 1 : 8;
  const body = padded(
    flat
      ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      : kind === 'f16'
        ? halves(data)
        : blocks(data),
  );
  infos.push(
    Buffer.concat([text(name), u32(shape.length), ...[...shape].reverse().map(u64), u32(type), u64(place)]),
  );
  bodies.push(body);
  place += body.length;
}
tensor('token_embd.weight', 'emb.weight');
tensor('output_norm.weight', 'nf');
for (let layer = 0; layer < layers; layer++)
  for (const [own, name] of Object.entries(NAMES))
    tensor(`blk.${layer}.${name}.weight`, `blocks.${layer}.${own}`);

const head = Buffer.concat([
  Buffer.from('GGUF'),
  u32(3),
  u64(infos.length),
  u64(entries.length),
  ...entries,
  ...infos,
]);
const file = Buffer.concat([padded(head), ...bodies]);
writeFileSync(to, file);
console.log(`${to}: ${file.length} bytes, ${infos.length} tensors, ${tokenizer.size} tokens`);
