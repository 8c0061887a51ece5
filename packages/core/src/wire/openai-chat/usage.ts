// Token counts in the API's spelling.

import type { Extra, Usage } from '../../model/index.js';
import { defined, memberOf, numberOf } from '../values.js';

export function encodeUsage({ inputTokens, outputTokens, cachedTokens, reasoningTokens }: Usage): Extra {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  };
}

/** Reads the usage of an answer or a chunk; undefined if it holds none. */
export function decodeUsage(body: unknown): Usage | undefined {
  const usage = memberOf(body, 'usage') ?? memberOf(body, 'x_groq', 'usage');
  const inputTokens = numberOf(usage, 'prompt_tokens');
  const outputTokens = numberOf(usage, 'completion_tokens');
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cachedTokens =
    numberOf(usage, 'prompt_tokens_details', 'cached_tokens') ?? numberOf(usage, 'prompt_cache_hit_tokens');
  const reasoningTokens = numberOf(usage, 'completion_tokens_details', 'reasoning_tokens');
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...defined({ cachedTokens, reasoningTokens }),
  };
}
