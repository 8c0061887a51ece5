// Weights as a GGUF file of the llama architecture, with the tokenizer of the training.

import { toHalf } from './half-floats.js';
import type { Tensor, Tensors } from './safetensors.js';
import { tensorNames } from './tensor-names.js';
import { BEGIN_ID, BYTE_START, END_ID, PAD_ID, type Tokenizer } from './tokenizer.js';

/** The numbers of matrices; vectors have 32 bits. */
export type WeightKind = 'q8_0' | 'f16';

const HEADS = 8;
const CONTEXT = 2048;
const ALIGNMENT = 32;
const BLOCK = 32;

// --- numbers -------------------------------------------------------------------------------------------------

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

// --- metadata ------------------------------------------------------------------------------------------------

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

class Metadata {
  readonly entries: Buffer[] = [];

  put(key: string, type: Exclude<Type, 'array'>, value: unknown): void {
    this.entries.push(Buffer.concat([text(key), u32(TYPES[type]), encoded(type, value)]));
  }

  putAll(key: string, type: Exclude<Type, 'array'>, values: readonly unknown[]): void {
    const list = values.map((value) => encoded(type, value));
    const head = [text(key), u32(TYPES.array), u32(TYPES[type]), u64(values.length)];
    this.entries.push(Buffer.concat([...head, ...list]));
  }
}

/** As the prompts of this project spell messages for it: see prompt.ts. */
const TEMPLATE =
  "<|tiny_begin|>{% for message in messages %}<|tiny_{{ message['role'] }}|>{{ message['content'] }}{% if message['role'] == 'assistant' %}<|tiny_end|>{% endif %}{% endfor %}{% if add_generation_prompt %}<|tiny_assistant|>{% endif %}";

function metadataOf(weights: Tensors, tokenizer: Tokenizer, kind: WeightKind): Buffer[] {
  const shapeOf = (name: string): number[] => (weights.get(name) as Tensor).shape;
  const dim = shapeOf('nf')[0] as number;
  const metadata = new Metadata();
  metadata.put('general.architecture', 'string', 'llama');
  metadata.put('general.name', 'string', 'dragoman-tiny');
  metadata.put('general.license', 'string', 'mit');
  metadata.put('general.file_type', 'u32', kind === 'f16' ? 1 : 7);
  metadata.put('llama.context_length', 'u32', CONTEXT);
  metadata.put('llama.embedding_length', 'u32', dim);
  metadata.put('llama.block_count', 'u32', layersOf(weights));
  metadata.put('llama.feed_forward_length', 'u32', shapeOf('blocks.0.g.weight')[0]);
  metadata.put('llama.attention.head_count', 'u32', HEADS);
  metadata.put('llama.attention.head_count_kv', 'u32', HEADS);
  metadata.put('llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5);
  metadata.put('llama.rope.dimension_count', 'u32', dim / HEADS);
  metadata.put('llama.rope.freq_base', 'f32', 10000);
  metadata.put('llama.vocab_size', 'u32', tokenizer.size);
  writeTokens(metadata, tokenizer);
  metadata.put('tokenizer.chat_template', 'string', TEMPLATE);
  return metadata.entries;
}

function layersOf(weights: Tensors): number {
  return [...weights.keys()].filter((name) => name.endsWith('.n1')).length;
}

/** Types of tokens: 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte. */
function writeTokens(metadata: Metadata, tokenizer: Tokenizer): void {
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
  metadata.put('tokenizer.ggml.model', 'string', 'llama');
  metadata.putAll('tokenizer.ggml.tokens', 'string', texts);
  metadata.putAll('tokenizer.ggml.scores', 'f32', scores);
  metadata.putAll('tokenizer.ggml.token_type', 'i32', types);
  metadata.put('tokenizer.ggml.unknown_token_id', 'u32', PAD_ID);
  metadata.put('tokenizer.ggml.bos_token_id', 'u32', BEGIN_ID);
  metadata.put('tokenizer.ggml.eos_token_id', 'u32', END_ID);
  metadata.put('tokenizer.ggml.padding_token_id', 'u32', PAD_ID);
  metadata.put('tokenizer.ggml.add_bos_token', 'bool', false);
  metadata.put('tokenizer.ggml.add_eos_token', 'bool', false);
  metadata.put('tokenizer.ggml.add_space_prefix', 'bool', false);
}

// --- the file ------------------------------------------------------------------------------------------------

const padded = (data: Buffer) =>
  Buffer.concat([data, Buffer.alloc((ALIGNMENT - (data.length % ALIGNMENT)) % ALIGNMENT)]);

function bodyOf({ shape, data }: Tensor, kind: WeightKind): Buffer {
  if (shape.length === 1) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return kind === 'f16' ? halves(data) : blocks(data);
}

export function ggufOf(weights: Tensors, tokenizer: Tokenizer, kind: WeightKind): Buffer {
  const infos: Buffer[] = [];
  const bodies: Buffer[] = [];
  let place = 0;
  for (const [own, name] of tensorNames(layersOf(weights))) {
    const tensor = weights.get(own);
    if (!tensor) throw new Error(`the tensor ${own} is missing`);
    const { shape } = tensor;
    const type = shape.length === 1 ? 0 : kind === 'f16' ? 1 : 8;
    const sizes = [...shape].reverse().map(u64);
    infos.push(Buffer.concat([text(name), u32(shape.length), ...sizes, u32(type), u64(place)]));
    const body = padded(bodyOf(tensor, kind));
    bodies.push(body);
    place += body.length;
  }
  const entries = metadataOf(weights, tokenizer, kind);
  const counts = [u32(3), u64(infos.length), u64(entries.length)];
  const head = Buffer.concat([Buffer.from('GGUF'), ...counts, ...entries, ...infos]);
  return Buffer.concat([padded(head), ...bodies]);
}
