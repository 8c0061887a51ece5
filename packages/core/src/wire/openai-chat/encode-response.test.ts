import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../model/index.js';
import { ApiError } from '../../model/index.js';
import { decodeResponse } from './decode-response.js';
import { encodeResponse } from './encode-response.js';
import { encodeError } from './errors.js';

const context = {
  request: {
    model: 'm',
    conversation: { messages: [], tools: [], toolChoice: 'auto' as const },
    settings: {},
    stream: false,
  },
  newId: (prefix: string) => `${prefix}new`,
  report: true,
};

const answer: Answer = {
  id: 'chatcmpl-1',
  model: 'glm',
  created: 5,
  choices: [
    {
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'tool-call', id: 'call_a', name: 'f', input: { n: 1 }, raw: '{"n": 1.0}' },
        { type: 'text', text: 'aside', aside: true },
      ],
      finish: 'tool-calls',
    },
    { parts: [{ type: 'text', text: 'cut' }], finish: 'length' },
    { parts: [], finish: 'content-filter' },
  ],
  usage: { inputTokens: 3, outputTokens: 4 },
  report: { mode: 'heal', issues: [], repairs: [], reasks: [] },
};

describe('a whole answer', () => {
  it('has content only where something was said', () => {
    expect(encodeResponse(answer, context)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 5,
      model: 'glm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            refusal: null,
            reasoning_content: 'hm',
            tool_calls: [
              { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{"n": 1.0}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
        {
          index: 1,
          message: { role: 'assistant', content: 'cut', refusal: null },
          logprobs: null,
          finish_reason: 'length',
        },
        {
          index: 2,
          message: { role: 'assistant', content: '', refusal: null },
          logprobs: null,
          finish_reason: 'content_filter',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      dragoman: answer.report,
    });
  });

  it('is silent about what was done if nobody wants to know', () => {
    expect(encodeResponse(answer, { ...context, report: false })).not.toHaveProperty('dragoman');
  });

  it('is understood by our own decoder', () => {
    expect(decodeResponse(encodeResponse(answer, context))).toEqual([
      { type: 'answer-start', id: 'chatcmpl-1', model: 'glm', created: 5 },
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'call-start', id: 'call_a', name: 'f' },
      { type: 'call-delta', id: 'call_a', text: '{"n": 1.0}' },
      { type: 'text-delta', text: 'cut', choice: 1 },
      { type: 'call-end', id: 'call_a' },
      { type: 'finish', reason: 'tool-calls' },
      { type: 'finish', reason: 'length', choice: 1 },
      { type: 'finish', reason: 'content-filter', choice: 2 },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } },
    ]);
  });

  it('is understood by OpenAI’s own client, and so is an error', async () => {
    const client = (body: unknown, status = 200, headers = {}) =>
      new OpenAI({ apiKey: 'none', fetch: async () => Response.json(body, { status, headers }) });
    const ask = { model: 'm', messages: [] };
    const completion = await client(encodeResponse(answer, context)).chat.completions.create(ask);
    expect(completion.choices[0]?.message.tool_calls).toHaveLength(1);
    // Retries would wait: `x-should-retry` has to hold the client back.
    const { body, status, headers } = encodeError(new ApiError('bad-request', 'n: too many', { path: 'n' }));
    const failing = client(body, status, headers).chat.completions.create(ask);
    await expect(failing).rejects.toMatchObject({ status: 400, param: 'n', type: 'invalid_request_error' });
  });
});
