// Recognises errors by which an upstream refuses images. Its model reads only text, which its API does not say beforehand.

import type { ApiError } from '../../model/index.js';
import { errorWords } from './error-words.js';

/** As `errorWords` gives them, and where they come from. */
const words: readonly [words: string, source: string][] = [
  ['is not a multimodal model', 'vLLM: vllm-project/vllm#19144'],
  ['at most 0 image', 'vLLM, --limit-mm-per-prompt'],
  ['image input is not supported', 'llama.cpp: ggml-org/llama.cpp#13566'],
  [
    'no endpoints found that support image',
    'OpenRouter, with 404: NousResearch/hermes-agent#23411, nexu-io/nexu#875',
  ],
  ['unknown variant image_url, expected text', 'DeepSeek: can1357/oh-my-pi#9169, nesquena/hermes-webui#2297'],
  ['not support image', 'several APIs: NousResearch/hermes-agent#23411'],
];

/** Statuses that mean something else, whatever the message. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 408, 413, 429, 503, 504]);

export function refusesMedia(error: ApiError): boolean {
  const { code, status } = error;
  // The API of the upstream has no words for it.
  if (code === 'unsupported-media') return true;
  if (status !== undefined && otherStatuses.has(status)) return false;
  const told = errorWords(error);
  return words.some(([some]) => told.includes(some));
}
