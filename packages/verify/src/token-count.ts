// The tokens of all answers: what they cost.

import type { Turn } from './turn.js';

/** On average for an answer. */
export interface Tokens {
  input: number;
  output: number;
  /** The answers that have a usage. */
  of: number;
}

export class TokenCount {
  #input = 0;
  #output = 0;
  #of = 0;

  add({ usage, failure }: Turn): void {
    if (!usage || failure !== undefined) return;
    this.#input += usage.inputTokens;
    this.#output += usage.outputTokens;
    this.#of++;
  }

  tokens(): Tokens | undefined {
    const mean = (sum: number) => Math.round((sum / this.#of) * 10) / 10;
    return this.#of === 0
      ? undefined
      : { input: mean(this.#input), output: mean(this.#output), of: this.#of };
  }
}
