import { createRandom } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { LocalModelError } from '../local-model-error.js';
import { CHATML, ggufBytes, smallModel, sourceOf, u64 } from './gguf-bytes.fixture.js';
import { readGgufInfo } from './gguf-info.js';
import { GGUF_LIMITS } from './gguf-reader.js';

const whole = ggufBytes(smallModel);
const read = (bytes: Uint8Array) => readGgufInfo(sourceOf(bytes));

describe('the metadata of a GGUF file', () => {
  it('tells the model, its template, its special tokens and how it is sampled', () => {
    expect(read(whole)).toEqual({
      architecture: 'qwen3',
      name: 'Qwen3 4B',
      contextLength: 40_960,
      template: CHATML,
      templates: {},
      vocabulary: 7,
      eosToken: '<|im_end|>',
      sampling: { temperature: 0.5 },
      specialTokens: [
        { id: 1, text: '<|im_start|>', kind: 'control' },
        { id: 2, text: '<|im_end|>', kind: 'control' },
        { id: 3, text: '<tool_call>', kind: 'added' },
        { id: 4, text: '  ', kind: 'added' },
        { id: 5, text: '<table>', kind: 'added' },
        { id: 6, text: '</tool_call>', kind: 'added' },
      ],
    });
  });

  it('may lack everything', () => {
    const empty = { architecture: 'unknown', templates: {}, specialTokens: [], vocabulary: 0, sampling: {} };
    expect(read(ggufBytes({}))).toEqual(empty);
  });

  it('has several templates where the vendor made some', () => {
    const more = { 'tokenizer.chat_template.tool_use': { type: 'string' as const, value: 'x' } };
    expect(read(ggufBytes(more)).templates).toEqual({ tool_use: 'x' });
  });
});

describe('a file that is wrong', () => {
  it.each([
    ['safetensors', ggufBytes({}, { magic: '\0\0\0\0' }), 'it does not begin with GGUF'],
    ['of another version', ggufBytes({}, { version: 1 }), 'its version is 1'],
    ['big-endian', ggufBytes({}, { version: 0x03000000 }), 'its numbers are big-endian'],
    [
      'with too many tensors',
      ggufBytes({}, { tensors: 2 ** 40 }),
      'it says that it has 1099511627776 tensors',
    ],
    ['with too many pairs', withCount(2n ** 63n), 'metadata pairs'],
    ['of nothing but a count', withCount(5n), 'it ends within its metadata'],
    ['empty', new Uint8Array(), 'it ends within its metadata'],
  ])('%s is refused with the reason', (_, bytes, words) => {
    expect(() => read(bytes)).toThrow(LocalModelError);
    expect(() => read(bytes)).toThrow(words);
  });

  it('gets no memory for what it only says to have', () => {
    const text = ggufBytes({ a: { type: 'string', value: 'b' } });
    text.set(u64(GGUF_LIMITS.string + 1), text.length - 9);
    expect(() => read(text)).toThrow('are the most');
    text.set(u64(GGUF_LIMITS.string), text.length - 9);
    expect(() => read(text)).toThrow('it ends within its metadata');
    const list = ggufBytes({ a: { type: 'numbers', value: [1] } });
    list.set(u64(GGUF_LIMITS.array), list.length - 12);
    expect(() => read(list)).toThrow('it ends within its metadata');
  });

  it('is refused wherever it is cut off', () => {
    for (let length = 0; length < whole.length; length++)
      expect(() => read(whole.subarray(0, length)), `${length} bytes`).toThrow(LocalModelError);
  });

  it('is read or refused, whatever its bytes are', () => {
    const random = createRandom(24);
    for (let run = 0; run < 500; run++) {
      const bytes = whole.slice();
      for (let flip = 0; flip < 1 + (run % 8); flip++)
        bytes[24 + random.int(bytes.length - 24)] = random.int(256);
      try {
        read(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(LocalModelError);
      }
    }
  });
});

function withCount(count: bigint): Uint8Array {
  const bytes = ggufBytes({});
  bytes.set(u64(count), bytes.length - 8);
  return bytes;
}
