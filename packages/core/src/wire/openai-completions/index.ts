// OpenAI's older Completions API: one prompt in, text out. It only serves to reach upstreams; clients cannot use it.

import { ApiError, type Extra, type ModelRequest, UsageError } from '../../model/index.js';
import { decodeResponse } from '../openai-chat/decode-response.js';
import { createStreamDecoder } from '../openai-chat/decode-stream.js';
import { encodeError } from '../openai-chat/errors.js';
import { openaiAuth, openaiChat } from '../openai-chat/index.js';
import { eventStream } from '../sse.js';
import { decodeError } from '../upstream-error.js';
import { defined } from '../values.js';
import type { Wire } from '../wire.js';

export const openaiCompletions = {
  name: 'openai-completions',
  title: 'OpenAI Completions',
  path: '/completions',
  served: false,
  takes: 'prompt',
  impliesTools: false,
  auth: openaiAuth,
  ids: openaiChat.ids,
  stream: eventStream,
  state: { members: [] },
  decodeRequest: notServed,
  encodeRequest,
  // Choices with a `text` are read like those with a delta or a message.
  decodeResponse,
  encodeResponse: notServed,
  createStreamDecoder,
  createStreamEncoder: notServed,
  encodeError,
  decodeError,
} as const satisfies Wire;

function notServed(): never {
  throw new ApiError('not-found', 'The completions API is not served here: use /v1/chat/completions.');
}

/** A request whose conversation was written into one prompt. */
interface PromptRequest extends ModelRequest {
  prompt?: string;
}

function encodeRequest(request: ModelRequest): Extra {
  const { prompt } = request as PromptRequest;
  if (prompt === undefined) {
    throw new UsageError(
      'bad-options',
      'the completions API takes one prompt: render the messages',
      'prompt',
    );
  }
  const { maxTokens, temperature, topP, topK, stop, choices, seed } = request.settings;
  return defined({
    model: request.model,
    prompt,
    max_tokens: maxTokens,
    temperature,
    top_p: topP,
    top_k: topK,
    stop,
    n: choices,
    seed,
    ...(request.stream && { stream: true, stream_options: { include_usage: true } }),
  });
}
