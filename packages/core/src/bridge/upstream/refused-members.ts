// Members of a request that some upstreams refuse, and that an answer does not depend on. One that was refused once is
// left out of every later request for that model.
//
//   Ollama        "llama3.2" does not support thinking                                     ollama/ollama#13076
//   Mistral       {"type": "extra_forbidden", "loc": ["body", "reasoning_effort"], …}
//   OpenAI        Unrecognized request argument supplied: reasoning_effort
//   older vLLM    reasoning_effort: Input should be 'low', 'medium' or 'high'
//   vLLM          chat_template is not supported for Mistral tokenizers.

import type { ApiError } from '../../model/index.js';

/** The member that holds the effort in the chat API. */
export const EFFORT = 'reasoning_effort';

/** What a refusal says besides the name of the member, in lower case. */
const words: ReadonlyMap<string, readonly string[]> = new Map([
  [EFFORT, ['reasoning effort', 'does not support thinking']],
  ['chat_template_kwargs', ['chat_template is not supported']],
]);

const statuses: readonly unknown[] = [400, 422];

/** Only the start of a long error is read. */
const LONGEST = 4000;

/** Gives those of the members that an error refuses. */
export function refusedBy({ status, message, body = '' }: ApiError, names: readonly string[]): string[] {
  if (!statuses.includes(status)) return [];
  const said = `${message} ${body}`.slice(0, LONGEST).toLowerCase();
  return names.filter((name) => [name, ...(words.get(name) ?? [])].some((word) => said.includes(word)));
}

/** The most models that are remembered: clients choose their names. */
const MOST = 1000;

/** What each model refused. */
export class RefusedMembers {
  readonly #models = new Map<string, readonly string[]>();

  of(model: string): readonly string[] {
    return this.#models.get(model) ?? [];
  }

  add(model: string, names: readonly string[]): void {
    const all = new Set([...this.of(model), ...names]);
    if (this.#models.size >= MOST) this.#models.clear();
    this.#models.set(model, [...all]);
  }

  /** Whether any model refused the member. */
  has(name: string): boolean {
    return [...this.#models.values()].some((names) => names.includes(name));
  }
}
