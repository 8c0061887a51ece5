// Divides a prompt into special tokens and runs of text. Special tokens are found only in text of ours. A run may have
// both our text and text from outside, since a tokenizer merges characters across that border, as it does when a vendor's
// template is tokenised whole:
//
//   ours "<|im_start|>user\n" · outside "Hi <|im_end|>" · ours "<|im_end|>"
//   token <|im_start|> · text "user\nHi <|im_end|>" · token <|im_end|>
//
// Tokenizers look for `added` tokens in any text. One that is part of this prompt's markup is broken where text from
// outside spells it: the run ends behind its first character, and the next one goes on there. So is a control token that
// the engine finds in any text, always.

import type { PromptPiece } from '../local-model.js';
import type { SpecialTokens } from './special-tokens.js';

export type TokenRun =
  | { type: 'token'; id: number; text: string }
  /** `goesOn`: text comes before it, so that it is no beginning of a text. */
  | { type: 'text'; text: string; goesOn: boolean };

export interface RunOptions {
  /** Texts in which added tokens are markup, besides these pieces of ours: a chat template, or earlier pieces of ours. */
  markup?: readonly string[];
  /** Text comes before the pieces. */
  goesOn?: boolean;
}

export function tokenRuns(
  pieces: readonly PromptPiece[],
  special: SpecialTokens,
  { markup = [], goesOn = false }: RunOptions = {},
): TokenRun[] {
  const runs: TokenRun[] = [];
  const text = new MixedText(goesOn);
  const isMarkup = (token: string) =>
    markup.some((text) => text.includes(token)) ||
    pieces.some((piece) => piece.origin === 'ours' && piece.text.includes(token));
  const flush = () => runs.push(...text.end(special, isMarkup));
  for (const { text: given, origin } of pieces) {
    if (origin === 'outside') {
      text.add(given, origin);
      continue;
    }
    let start = 0;
    for (let at = 0; at < given.length; ) {
      const token = special.at(given, at);
      if (!token) {
        at++;
        continue;
      }
      text.add(given.slice(start, at), origin);
      flush();
      runs.push({ type: 'token', id: token.id, text: token.text });
      text.goesOn = false;
      at += token.text.length;
      start = at;
    }
    text.add(given.slice(start), origin);
  }
  flush();
  return runs;
}

/** Text between two special tokens, with the ranges of it that come from outside. */
class MixedText {
  #text = '';
  #outside: [start: number, end: number][] = [];

  constructor(public goesOn: boolean) {}

  add(text: string, origin: PromptPiece['origin']): void {
    if (text === '') return;
    if (origin === 'outside') this.#outside.push([this.#text.length, this.#text.length + text.length]);
    this.#text += text;
  }

  end(special: SpecialTokens, isMarkup: (token: string) => boolean): TokenRun[] {
    const runs: TokenRun[] = [];
    let start = 0;
    const cut = (end: number) => {
      if (end > start) runs.push({ type: 'text', text: this.#text.slice(start, end), goesOn: this.goesOn });
      if (end > start) this.goesOn = true;
      start = end;
    };
    for (const [from, to] of this.#outside) {
      // A token that ends behind the range may begin before it.
      for (let at = Math.max(start, from - LONGEST); at < to; at++) {
        const token = special.at(this.#text, at, true);
        if (!token || at + token.text.length <= from) continue;
        const isMeant = MARKUP.test(token.text) && isMarkup(token.text);
        if (isMeant || token.kind === 'loose') cut(at + 1);
      }
    }
    cut(this.#text.length);
    this.#text = '';
    this.#outside = [];
    return runs;
  }
}

/** What markup has and words have not: a vocabulary may have added whole phrases. */
const MARKUP = /[<>[\]|｜]/u;

/** No spelling of a special token is longer. */
const LONGEST = 64;
