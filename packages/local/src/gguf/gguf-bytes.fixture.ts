// GGUF metadata as bytes, for tests.

type Value =
  | { type: 'string'; value: string }
  | { type: 'u32'; value: number }
  | { type: 'f32'; value: number }
  | { type: 'strings'; value: readonly string[] }
  | { type: 'numbers'; value: readonly number[] };

const numbers = { u32: 4, f32: 6, string: 8, array: 9, i32: 5 };

export function ggufBytes(
  pairs: Readonly<Record<string, Value>>,
  { version = 3, tensors = 0, magic = 'GGUF' } = {},
): Uint8Array {
  const out: number[] = [...new TextEncoder().encode(magic), ...u32(version), ...u64(tensors)];
  const entries = Object.entries(pairs);
  out.push(...u64(entries.length));
  for (const [key, value] of entries) out.push(...string(key), ...encoded(value));
  return Uint8Array.from(out);
}

export function sourceOf(bytes: Uint8Array) {
  return { size: bytes.length, read: (at: number, length: number) => bytes.subarray(at, at + length) };
}

function encoded(given: Value): number[] {
  switch (given.type) {
    case 'string':
      return [...u32(numbers.string), ...string(given.value)];
    case 'u32':
      return [...u32(numbers.u32), ...u32(given.value)];
    case 'f32':
      return [...u32(numbers.f32), ...new Uint8Array(Float32Array.of(given.value).buffer)];
    case 'strings':
      return [...array(numbers.string, given.value.length), ...given.value.flatMap(string)];
    case 'numbers':
      return [...array(numbers.i32, given.value.length), ...given.value.flatMap(u32)];
  }
}

function array(type: number, count: number): number[] {
  return [...u32(numbers.array), ...u32(type), ...u64(count)];
}

function string(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  return [...u64(bytes.length), ...bytes];
}

function u32(value: number): number[] {
  return [...new Uint8Array(Uint32Array.of(value).buffer)];
}

export function u64(value: number | bigint): number[] {
  return [...new Uint8Array(BigUint64Array.of(BigInt(value)).buffer)];
}

/** A small model: ChatML, two special tokens and one that was added. */
export const CHATML = `{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content | trim }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

export const smallModel = {
  'general.architecture': { type: 'string', value: 'qwen3' },
  'general.name': { type: 'string', value: 'Qwen3 4B' },
  'qwen3.context_length': { type: 'u32', value: 40_960 },
  'tokenizer.ggml.tokens': {
    type: 'strings',
    value: ['a', '<|im_start|>', '<|im_end|>', '<tool_call>', '  ', '<table>', '</tool_call>'],
  },
  'tokenizer.ggml.token_type': { type: 'numbers', value: [1, 3, 3, 4, 4, 4, 4] },
  'tokenizer.ggml.eos_token_id': { type: 'u32', value: 2 },
  'tokenizer.chat_template': { type: 'string', value: CHATML },
  'general.sampling.temp': { type: 'f32', value: 0.5 },
} satisfies Record<string, Value>;
