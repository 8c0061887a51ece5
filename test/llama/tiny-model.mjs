// A language model of a few kilobytes, with random weights: the smallest that llama.cpp runs. Its tokens are bytes:
// ASCII, and what the characters of markers are made of (all of them begin with E2 or EF, behind which any two bytes
// that go on make a character). Whatever a grammar asks for, it can write; what it would write by itself is noise.

const EMBEDDING = 32;
const FORWARD = 32;
const HEADS = 2;
const SPECIAL = ['<unk>', '<s>', '</s>'];
export const END_TOKEN = 2;
/** The bytes that have a token. No text holds a NUL. */
const BYTES = [...Array.from({ length: 0xbf }, (_, at) => at + 1), 0xe2, 0xef];
const VOCABULARY = SPECIAL.length + BYTES.length;

/** What a token stands for. To a grammar, a special one is its name. */
export function bytesOf(token) {
  return token < SPECIAL.length ? [...Buffer.from(SPECIAL[token])] : [BYTES[token - SPECIAL.length]];
}

const TYPES = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 };
const ALIGNMENT = 32;

/** The model as a file in llama.cpp's format, GGUF. */
export function tinyModel(seed = 1) {
  const tensors = tensorsOf(seed);
  const header = [bytes('GGUF'), u32(3), u64(tensors.length), u64(METADATA.length)];
  const meta = METADATA.map(([key, type, value]) =>
    Buffer.concat([string(key), u32(TYPES[type]), encode(type, value)]),
  );
  let offset = 0;
  const infos = tensors.map(({ name, shape, data }) => {
    const info = Buffer.concat([string(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);
    offset += padded(data.length);
    return info;
  });
  const head = Buffer.concat([...header, ...meta, ...infos]);
  return Buffer.concat([pad(head), ...tensors.map(({ data }) => pad(data))]);
}

const METADATA = [
  ['general.architecture', 'string', 'llama'],
  ['general.name', 'string', 'tiny'],
  ['llama.context_length', 'u32', 4096],
  ['llama.embedding_length', 'u32', EMBEDDING],
  ['llama.block_count', 'u32', 1],
  ['llama.feed_forward_length', 'u32', FORWARD],
  ['llama.attention.head_count', 'u32', HEADS],
  ['llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5],
  ['llama.rope.dimension_count', 'u32', EMBEDDING / HEADS],
  ['tokenizer.ggml.model', 'string', 'llama'],
  ['tokenizer.ggml.tokens', 'array', ['string', tokens()]],
  ['tokenizer.ggml.scores', 'array', ['f32', Array(VOCABULARY).fill(0)]],
  // 2: unknown. 3: control. 6: byte.
  ['tokenizer.ggml.token_type', 'array', ['i32', [2, 3, 3, ...BYTES.map(() => 6)]]],
  ['tokenizer.ggml.unknown_token_id', 'u32', 0],
  ['tokenizer.ggml.bos_token_id', 'u32', 1],
  ['tokenizer.ggml.eos_token_id', 'u32', END_TOKEN],
  ['tokenizer.ggml.add_space_prefix', 'bool', false],
];

function tokens() {
  const hex = (byte) => byte.toString(16).toUpperCase().padStart(2, '0');
  return [...SPECIAL, ...BYTES.map((byte) => `<0x${hex(byte)}>`)];
}

function tensorsOf(seed) {
  const random = normal(seed);
  const tensor = (name, ...shape) => ({ name, shape, data: floats(shape, random) });
  const ones = (name) => ({ name, shape: [EMBEDDING], data: floats([EMBEDDING], () => 1) });
  return [
    tensor('token_embd.weight', EMBEDDING, VOCABULARY),
    tensor('output.weight', EMBEDDING, VOCABULARY),
    ones('output_norm.weight'),
    ones('blk.0.attn_norm.weight'),
    ones('blk.0.ffn_norm.weight'),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) =>
      tensor(`blk.0.${name}.weight`, EMBEDDING, EMBEDDING),
    ),
    tensor('blk.0.ffn_gate.weight', EMBEDDING, FORWARD),
    tensor('blk.0.ffn_up.weight', EMBEDDING, FORWARD),
    tensor('blk.0.ffn_down.weight', FORWARD, EMBEDDING),
  ];
}

function floats(shape, next) {
  const count = shape.reduce((product, size) => product * size, 1);
  const data = Buffer.alloc(count * 4);
  for (let at = 0; at < count; at++) data.writeFloatLE(next(), at * 4);
  return data;
}

/** Small numbers around zero, the same for the same seed. */
function normal(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 4294967296 - 0.5) * 0.4;
  };
}

// --- the format ----------------------------------------------------------------------------------------

function encode(type, value) {
  if (type === 'array') {
    const [of, items] = value;
    return Buffer.concat([u32(TYPES[of]), u64(items.length), ...items.map((item) => encode(of, item))]);
  }
  return { u32, i32, f32, bool, string }[type](value);
}

function bytes(text) {
  return Buffer.from(text);
}

function string(text) {
  return Buffer.concat([u64(Buffer.byteLength(text)), bytes(text)]);
}

function bool(value) {
  return Buffer.from([value ? 1 : 0]);
}

function u32(value) {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

function i32(value) {
  const out = Buffer.alloc(4);
  out.writeInt32LE(value);
  return out;
}

function f32(value) {
  const out = Buffer.alloc(4);
  out.writeFloatLE(value);
  return out;
}

function u64(value) {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

function padded(length) {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function pad(data) {
  return Buffer.concat([data, Buffer.alloc(padded(data.length) - data.length)]);
}
