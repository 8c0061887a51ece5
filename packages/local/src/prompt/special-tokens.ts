// The special tokens of a vocabulary, by their spelling. They are looked for in linear time: by the first character, and
// then by the few lengths that spellings with this character have.

import type { SpecialToken } from '../gguf/gguf-info.js';

export class SpecialTokens {
  readonly #byText = new Map<string, SpecialToken>();
  /** The lengths of spellings that begin with a character, the longest first. */
  readonly #lengths = new Map<string, number[]>();

  constructor(tokens: readonly SpecialToken[]) {
    for (const token of tokens) {
      const { text } = token;
      if (this.#byText.has(text)) continue;
      this.#byText.set(text, token);
      const first = text.charAt(0);
      const lengths = this.#lengths.get(first) ?? [];
      if (!lengths.includes(text.length)) lengths.push(text.length);
      this.#lengths.set(first, lengths);
    }
    for (const lengths of this.#lengths.values()) lengths.sort((a, b) => b - a);
  }

  /** Gives the longest token that is spelled at this place; `anywhere`: of those that are found in any text. */
  at(text: string, place: number, anywhere = false): SpecialToken | undefined {
    for (const length of this.#lengths.get(text.charAt(place)) ?? []) {
      const found = this.#byText.get(text.slice(place, place + length));
      if (found && !(anywhere && found.kind === 'control')) return found;
    }
    return undefined;
  }

  spelled(text: string): SpecialToken | undefined {
    return this.#byText.get(text);
  }
}
