import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../model/index.js';
import { openaiCompletions } from './index.js';

const request: ModelRequest & { prompt?: string } = {
  model: 'm',
  prompt: '[gMASK]<sop>',
  conversation: { messages: [], tools: [], toolChoice: 'auto' },
  settings: { maxTokens: 5, temperature: 0, topP: 0.9, stop: ['<|user|>'], choices: 2, seed: 1 },
  stream: true,
};

describe('the completions API', () => {
  it('takes a prompt', () => {
    expect(openaiCompletions.encodeRequest(request)).toEqual({
      model: 'm',
      prompt: '[gMASK]<sop>',
      max_tokens: 5,
      temperature: 0,
      top_p: 0.9,
      stop: ['<|user|>'],
      n: 2,
      seed: 1,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(openaiCompletions.encodeRequest({ ...request, settings: {}, stream: false })).toEqual({
      model: 'm',
      prompt: '[gMASK]<sop>',
    });
  });

  it('cannot be asked without one', () => {
    const { prompt: _, ...rest } = request;
    expect(() => openaiCompletions.encodeRequest(rest)).toThrow('takes one prompt');
  });

  it('answers with text, whole or in pieces', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 };
    const whole = { id: 'c', choices: [{ index: 0, text: 'Hi', finish_reason: 'stop' }], usage };
    const events = [
      { type: 'answer-start', id: 'c' },
      { type: 'text-delta', text: 'Hi' },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
    ];
    expect(openaiCompletions.decodeResponse(whole)).toEqual(events);
    const decoder = openaiCompletions.createStreamDecoder();
    expect([
      ...decoder.feed(`data: ${JSON.stringify(whole)}\n\ndata: [DONE]\n\n`),
      ...decoder.finish(),
    ]).toEqual(events);
  });

  it('is not served', () => {
    expect(() => openaiCompletions.decodeRequest()).toThrow('not served');
  });
});
