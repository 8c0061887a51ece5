// What a row of training data has beside its text: a mask, tokens, a check of its prefixes, or one sample a turn.

import { RowError } from '../forms/form.js';
import type { ChatTemplate } from './chat-tokens.js';

/** What a model writes. The end token is the one at which the endpoint stops. */
export const maskKinds = ['reasoning', 'text', 'calls', 'end'] as const;

export type MaskKind = (typeof maskKinds)[number];

/** Which answers are learnt: all, the last one, or the n-th, from 1. Messages of the assistant in a row are one answer. */
export type Trained = 'all' | 'last' | number;

/** As plain data, which can be sent to threads and machines. */
export interface TrainingChoice {
  /** Writes the ranges of these kinds. */
  mask?: readonly MaskKind[];
  /** Default: all. */
  train?: Trained;
  /** Writes whether every prompt of the conversation is a prefix of the next. */
  checkPrefix?: boolean;
  /** Writes a row each time that the model was asked: the prompt as it was sent, and what the model wrote. */
  perTurn?: boolean;
}

export interface TrainingOptions extends TrainingChoice {
  /** Writes tokens and labels beside ranges. */
  tokenizer?: TextTokenizer;
  /** Frames taught messages, for their tokens. */
  chat?: ChatTemplate;
}

/** A tokenizer of a model. */
export interface TextTokenizer {
  /** Gives the tokens of a text, without any that the text does not have. Throws a RowError if they do not spell it. */
  encode(text: string): TokenPiece[];
  /** Gives the position in the text that the tokens spell, where a normalizer changes it. */
  place(text: string, position: number): number;
}

export interface TokenPiece {
  id: number;
  /** Its UTF-16 range in the text. */
  start: number;
  end: number;
}

/** What a sample may be learnt from: UTF-16 ranges of one text. */
export interface MaskRange {
  kind: MaskKind;
  start: number;
  end: number;
}

/** Gives the turns as runs of the assistant's messages: the index of the first message, and the one behind the last. */
export function turnsOf(messages: readonly { role: string }[]): { first: number; end: number }[] {
  const turns: { first: number; end: number }[] = [];
  for (const [at, { role }] of messages.entries()) {
    if (role !== 'assistant') continue;
    const last = turns.at(-1);
    if (last?.end === at) last.end = at + 1;
    else turns.push({ first: at, end: at + 1 });
  }
  return turns;
}

/** Gives each message of the assistant as a run of its own, with the number of its turn. */
export function answersOf(
  messages: readonly { role: string }[],
): { turn: number; first: number; end: number }[] {
  return turnsOf(messages).flatMap(({ first, end }, at) =>
    Array.from({ length: end - first }, (_, place) => {
      const own = first + place;
      return { turn: at + 1, first: own, end: own + 1 };
    }),
  );
}

/** Gives the turns that are learnt. */
export function trainedTurns<T>(turns: readonly T[], train: Trained = 'all'): readonly T[] {
  if (train === 'all') return turns;
  return train === 'last' ? turns.slice(-1) : turns.slice(train - 1, train);
}

/** Gives the samples of the turns that are learnt. */
export function trainedSamples<T extends { turn: number }>(
  samples: readonly T[],
  train: Trained = 'all',
): T[] {
  const chosen = train === 'last' ? samples.at(-1)?.turn : train;
  return samples.filter(({ turn }) => chosen === 'all' || turn === chosen);
}

/** What is wrong with a row that gives no sample of a turn. */
export function noSample(): RowError {
  const message =
    'there is no answer of the assistant that --per-turn could write a sample of: leave the row out, or choose other ' +
    'answers (--train)';
  return new RowError('messages', message);
}
