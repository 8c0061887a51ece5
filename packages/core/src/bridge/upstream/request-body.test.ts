import { describe, expect, it } from 'vitest';
import { ApiError } from '../../model/index.js';
import { wireOf } from '../../wire/index.js';
import type { UpstreamOptions } from './http-upstream.js';
import { BodyWriter, patched } from './request-body.js';
import type { UpstreamRequest } from './upstream.js';

const request: UpstreamRequest = {
  api: 'openai-chat',
  model: 'm',
  conversation: {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
    tools: [],
    toolChoice: 'auto',
  },
  settings: {},
  stream: true,
  prompt: 'Hi.',
};
const tokens = { specialTokens: ['<|call|>'] };
const writer = (options: Partial<UpstreamOptions> = {}, api = 'openai-chat') =>
  new BodyWriter(wireOf(api as 'openai-chat'), { url: 'http://up.invalid/v1', ...options });
const written = (one: BodyWriter, more: Partial<UpstreamRequest> = {}) =>
  JSON.parse(one.write({ ...request, ...more }).json as string);

describe('a merge patch', () => {
  it.each([
    [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
    [{ a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }, { a: { c: 2, d: 3 } }],
    [{ a: [1] }, { a: [2] }, { a: [2] }],
    [{ a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    [{}, JSON.parse('{"__proto__": {"polluted": true}}'), JSON.parse('{"__proto__": {"polluted": true}}')],
  ])('of %j with %j gives %j', (value, patch, result) => {
    expect(JSON.stringify(patched(value, patch))).toBe(JSON.stringify(result));
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('the body of a request', () => {
  it('is what the API makes of it, byte for byte, where nothing is added', () => {
    for (const api of ['openai-chat', 'openai-responses', 'anthropic-messages', 'openai-completions']) {
      const wire = wireOf(api as 'openai-chat');
      const plain = JSON.stringify(wire.encodeRequest({ ...request, includeUsage: true }));
      expect(writer({}, api).write(request).json as string).toBe(plain);
      expect(writer({ engine: 'vllm' }, api).write(request).json as string).toBe(plain);
    }
  });

  it('asks each engine for special tokens as it takes it', () => {
    expect(written(writer({ engine: 'vllm' }), tokens).skip_special_tokens).toBe(false);
    expect(written(writer({ engine: () => 'sglang' }), tokens).skip_special_tokens).toBe(false);
    expect(written(writer({ engine: 'llama.cpp' }), tokens)).not.toHaveProperty('preserved_tokens');
    const grammar = { members: { preserved_tokens: ['<tool>'] } };
    const prompt = writer({ engine: 'llama.cpp' }, 'openai-completions');
    expect(written(prompt, { ...tokens, ...grammar }).preserved_tokens).toEqual(['<tool>', '<|call|>']);
    for (const engine of ['ollama', 'lm-studio', 'tgi', undefined] as const)
      expect(written(writer(engine ? { engine } : {}), tokens)).not.toHaveProperty('skip_special_tokens');
  });

  it('has the last word of the configuration, and never another model', () => {
    const one = writer({ engine: 'vllm', model: 'there', body: { skip_special_tokens: true, top_k: 4 } });
    const body = written(one, { ...tokens, members: { top_k: 3, min_p: 0.2 } });
    expect(body).toMatchObject({
      model: 'there',
      skip_special_tokens: true,
      top_k: 4,
      min_p: 0.2,
      stream: true,
    });
  });

  it('is written without a wish that was refused, and only for errors about it', () => {
    const one = writer({ engine: 'vllm' });
    const first = one.write({ ...request, ...tokens });
    const error = (message: string, status = 400) => new ApiError('upstream-refused', message, { status });
    for (const other of [
      error('no model'),
      error('no stream_options', 404),
      new ApiError('upstream-failed', 'stream_options'),
    ])
      expect(one.writeWithout(other, request, first)).toBeUndefined();
    const second = one.writeWithout(error('unknown: stream_options'), { ...request, ...tokens }, first);
    expect(JSON.parse(String(second?.json))).not.toHaveProperty('stream_options');
    expect(JSON.parse(String(second?.json)).skip_special_tokens).toBe(false);
    expect(written(one)).toHaveProperty('stream_options');
    if (second) one.accept(second, request);
    expect(written(one)).not.toHaveProperty('stream_options');
    expect(one.specialTokens().state).toBe('asked');
  });

  it('is written without the switch of thinking, where the tokenizer has no template', () => {
    const one = writer({ engine: 'vllm' });
    const thinks = { ...request, settings: { thinking: true, effort: 'high' } };
    const first = one.write(thinks);
    const words = 'chat_template is not supported for Mistral tokenizers.';
    const error = new ApiError('upstream-refused', words, { status: 400 });
    const second = one.writeWithout(error, thinks, first);
    expect(JSON.parse(String(first.json))).toHaveProperty('chat_template_kwargs');
    expect(JSON.parse(String(second?.json))).not.toHaveProperty('chat_template_kwargs');
    expect(JSON.parse(String(second?.json)).reasoning_effort).toBe('high');
    expect(second?.ignored).toEqual(['chat_template_kwargs']);
    if (second) one.accept(second, thinks);
    expect(written(one, thinks)).not.toHaveProperty('chat_template_kwargs');
  });
});
