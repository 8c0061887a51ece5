import { describe, expect, it } from 'vitest';
import { randomModel } from './gguf.fixture.js';
import { GgufError, readGguf } from './gguf.js';
import { TinyModel } from './tiny-model.js';

describe('a GGUF file', () => {
  const whole = randomModel({ layers: 1, width: 32, heads: 4, feedForward: 32 });

  it('gives its metadata and tensors', () => {
    const { metadata, tensors } = readGguf(whole);
    expect(metadata.get('llama.embedding_length')).toBe(32);
    expect(metadata.get('tokenizer.ggml.add_space_prefix')).toBe(false);
    expect(tensors.get('blk.0.ffn_up.weight')).toMatchObject({ shape: [32, 32], type: 'q8_0' });
    expect(tensors.get('blk.0.ffn_up.weight')?.data).toHaveLength(32 * 34);
  });

  it('is refused where it is cut off, in words and without a large allocation', () => {
    for (let length = 0; length < whole.length; length += 1 + (length >> 3))
      expect(() => readGguf(whole.subarray(0, length))).toThrow(GgufError);
  });

  it('ends in an error of ours or a model, whichever byte of its head is another', () => {
    for (let at = 0; at < 6000; at += 37) {
      const changed = whole.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      try {
        new TinyModel(changed, { slots: 1, context: 16 });
      } catch (error) {
        expect(error).toBeInstanceOf(GgufError);
      }
    }
  });

  it.each([
    ['nothing', new Uint8Array(), 'cut off'],
    ['a text', new TextEncoder().encode('hello, this is no model'), 'no GGUF file'],
  ])('is not %s', (_, bytes, message) => {
    expect(() => readGguf(bytes)).toThrow(message);
  });
});
