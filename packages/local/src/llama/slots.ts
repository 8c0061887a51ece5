// The sequences of a context. Each holds the tokens of the last conversation that it answered, so that the next turn of
// it is evaluated from there on.

import type { PromptPiece } from '../local-model.js';
import { behindText, piecesBehind } from '../prompt/pieces.js';
import type { LlamaSequence, Token } from './llama-api.js';

/** A prompt and its answer, as they were evaluated. */
export interface Exchange {
  prompt: readonly PromptPiece[];
  promptTokens: readonly Token[];
  answer: string;
  /** The tokens as they were sampled: another division of the same text would have to be evaluated again. */
  answerTokens: readonly Token[];
  /** Whether the answer has special tokens, which text from outside must not become. */
  hasSpecial: boolean;
}

export interface Slot {
  readonly sequence: LlamaSequence;
  isBusy: boolean;
  /** When it was last used, by a count. */
  used: number;
  last?: Exchange;
}

/** Tokenises a prompt, or the last pieces of `whole`. */
export type Tokenise = (pieces: readonly PromptPiece[], whole?: readonly PromptPiece[]) => Token[];

export class Slots {
  readonly #slots: Slot[];
  #count = 0;

  constructor(
    sequences: readonly LlamaSequence[],
    readonly tokenise: Tokenise,
  ) {
    this.#slots = sequences.map((sequence) => ({ sequence, isBusy: false, used: 0 }));
  }

  /** Takes the free sequence that has most of the prompt; undefined if all are busy. */
  take(prompt: readonly PromptPiece[]): { slot: Slot; tokens: Token[] } | undefined {
    const free = this.#slots.filter(({ isBusy }) => !isBusy);
    const going = free.flatMap((slot) => {
      const tokens = slot.last && this.#goingOn(slot.last, prompt);
      return tokens ? [{ slot, tokens }] : [];
    });
    // The longest beginning: a conversation that branched may be in several.
    going.sort((a, b) => (b.slot.last?.promptTokens.length ?? 0) - (a.slot.last?.promptTokens.length ?? 0));
    const [best] = going;
    if (best) return this.#begin(best.slot, best.tokens);
    const tokens = this.tokenise(prompt);
    const slot = chooseSlot(free, tokens);
    return slot && this.#begin(slot, tokens);
  }

  #begin(slot: Slot, tokens: Token[]): { slot: Slot; tokens: Token[] } {
    slot.isBusy = true;
    slot.used = ++this.#count;
    return { slot, tokens };
  }

  /** Gives the tokens of a prompt that goes on from an exchange; undefined if it does not. */
  #goingOn(last: Exchange, prompt: readonly PromptPiece[]): Token[] | undefined {
    const { answer, answerTokens, promptTokens, hasSpecial } = last;
    const behind = piecesBehind(prompt, last.prompt);
    if (!behind || answer === '') return undefined;
    const rest = behindText(behind, answer, hasSpecial ? ['ours'] : ['ours', 'outside']);
    return rest && [...promptTokens, ...answerTokens, ...this.tokenise(rest, prompt)];
  }
}

/**
 * Chooses by what is saved and what is lost: the tokens that need not be evaluated, less half of those that another
 * conversation may still need. Of equal ones, the one that was used least recently.
 */
function chooseSlot(free: readonly Slot[], tokens: readonly Token[]): Slot | undefined {
  let best: { slot: Slot; value: number } | undefined;
  for (const slot of free) {
    const { contextTokens } = slot.sequence;
    const common = commonLength(contextTokens, tokens);
    const value = common - (contextTokens.length - common) / 2;
    const isBetter = !best || value > best.value || (value === best.value && slot.used < best.slot.used);
    if (isBetter) best = { slot, value };
  }
  return best?.slot;
}

export function commonLength(a: readonly Token[], b: readonly Token[]): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at++;
  return at;
}
