// Text of tokens, one at a time. A token may end within a character: it is held until the rest has come.

import type { LlamaModelHandle, Token } from './llama-api.js';

/** A character has at most four bytes, and each may be a token. */
const MOST_HELD = 4;
/** Tokens before, by which the tokenizer knows whether a blank belongs to the text. */
const CONTEXT = 8;

export class TokenText {
  #held: Token[] = [];
  #last: Token[];

  /** `before`: the tokens of the prompt. */
  constructor(
    readonly model: Pick<LlamaModelHandle, 'detokenize'>,
    before: readonly Token[],
  ) {
    this.#last = before.slice(-CONTEXT);
  }

  /** Tokens whose text has not come yet. */
  get held(): readonly Token[] {
    return this.#held;
  }

  push(token: Token): string {
    this.#held.push(token);
    const text = this.model.detokenize(this.#held, true, this.#last);
    if (text.endsWith('\ufffd') && this.#held.length < MOST_HELD) return '';
    return this.#give(text);
  }

  end(): string {
    return this.#held.length === 0 ? '' : this.#give(this.model.detokenize(this.#held, true, this.#last));
  }

  #give(text: string): string {
    this.#last = [...this.#last, ...this.#held].slice(-CONTEXT);
    this.#held = [];
    return text;
  }
}
