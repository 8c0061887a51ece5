// Recognises errors by which an upstream refuses a member of a request that an answer does not depend on.
//
//   Ollama        "llama3.2" does not support thinking                                     ollama/ollama#13076
//   Mistral       {"type": "extra_forbidden", "loc": ["body", "reasoning_effort"], …}
//   OpenAI        Unrecognized request argument supplied: reasoning_effort
//   older vLLM    reasoning_effort: Input should be 'low', 'medium' or 'high'
//   vLLM          chat_template is not supported for Mistral tokenizers.

import type { ApiError } from '../../model/index.js';
import { errorWords } from './error-words.js';

/** The member that holds the effort in the chat API. */
export const EFFORT = 'reasoning_effort';

/** The words of refusals that do not name the member, as `errorWords` gives them. */
const words: ReadonlyMap<string, readonly string[]> = new Map([
  [EFFORT, ['reasoning effort', 'does not support thinking']],
  ['chat_template_kwargs', ['chat_template is not supported']],
]);

const statuses: readonly unknown[] = [400, 422];

/** Gives those of the members that an error refuses. */
export function refusedBy(error: ApiError, names: readonly string[]): string[] {
  if (!statuses.includes(error.status)) return [];
  const told = errorWords(error);
  return names.filter((name) => [name, ...(words.get(name) ?? [])].some((word) => told.includes(word)));
}
