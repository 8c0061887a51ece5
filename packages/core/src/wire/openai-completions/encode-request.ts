// Writes a prompt for the Completions API.

import type { Extra, ModelRequest } from '../../model/index.js';
import { UsageError } from '../../model/index.js';
import { defined } from '../values.js';

/** A request whose conversation was written into one prompt. */
interface PromptRequest extends ModelRequest {
  prompt?: string;
}

export function encodeRequest(request: ModelRequest): Extra {
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
