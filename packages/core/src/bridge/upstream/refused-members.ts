// Members of a request that some upstreams refuse, and that an answer does not depend on. One that was refused once is
// left out of every later request for that model.
//
//   Ollama        "llama3.2" does not support thinking                                     ollama/ollama#13076
//   Mistral       {"type": "extra_forbidden", "loc": ["body", "reasoning_effort"], …}
//   OpenAI        Unrecognized request argument supplied: reasoning_effort
//   older vLLM    reasoning_effort: Input should be 'low', 'medium' or 'high'

import type { ApiError } from '../../model/index.js';

/** What a refusal of each member says, in lower case. */
const signs: ReadonlyMap<string, readonly string[]> = new Map([
  ['reasoning_effort', ['reasoning_effort', 'reasoning effort', 'does not support thinking']],
]);

const statuses: readonly unknown[] = [400, 404, 422];

/** The most that is remembered: clients choose the names of models. */
const MOST = 1000;

export class RefusedMembers {
  readonly #refused = new Set<string>();

  /** Takes the members that the model refused out of the body, and gives their names. */
  remove(model: string, body: Record<string, unknown>): string[] {
    if (this.#refused.size === 0) return [];
    const names = [...signs.keys()].filter(
      (name) => this.#refused.has(keyOf(model, name)) && Object.hasOwn(body, name),
    );
    for (const name of names) delete body[name];
    return names;
  }

  /** Whether the error refuses a member of the body. It is remembered. */
  learn(model: string, body: Record<string, unknown>, error: ApiError): boolean {
    if (!statuses.includes(error.status)) return false;
    const said = `${error.message} ${error.body ?? ''}`.toLowerCase();
    const names = [...signs].filter(
      ([name, words]) => Object.hasOwn(body, name) && words.some((word) => said.includes(word)),
    );
    if (this.#refused.size >= MOST) this.#refused.clear();
    for (const [name] of names) this.#refused.add(keyOf(model, name));
    return names.length > 0;
  }
}

const keyOf = (model: string, name: string) => `${name} ${model}`;
