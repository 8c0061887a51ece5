// Tokens of taught messages, as the model's own chat template frames them. Where an answer begins and ends is told from
// prompts alone: the model is sent what the template writes before the answer, and writes the rest, to a token at which
// it stops.

import type { ExactValue } from '@dragoman/core/internal';
import type { Note } from '../forms/form.js';
import { rangesOf, tokenMembers } from './mask.js';
import { type MaskRange, maskKinds, type TrainingOptions } from './training.js';

/** A message as a chat template is given it. */
export interface ChatMessage {
  role: string;
  content: string;
}

/** The chat template of a model. */
export interface ChatTemplate {
  /** Throws a RowError if the template refuses the messages. `generate`: with the beginning of an answer. */
  render(messages: readonly ChatMessage[], generate: boolean): string;
  /** The special tokens of the model: an answer ends at one. */
  stops: readonly string[];
}

/** Where an answer stands in a text: what was sent before it, its end, and that of the token behind it. */
export interface ChatAnswer {
  start: number;
  close: number;
  end: number;
}

/** Gives where the text and the calls of an answer begin in it. */
export type Divide = (answer: string) => { text: number; calls: number };

type Members = [string, ExactValue][];

/** Gives the members `input_ids`, `attention_mask` and `labels` of messages. `learnt`: the places of the answers that are. */
export function chatTokenMembers(
  messages: readonly ChatMessage[],
  learnt: readonly number[],
  training: TrainingOptions & Required<Pick<TrainingOptions, 'chat' | 'tokenizer'>>,
  divide: Divide,
  notes: Note[],
): Members {
  const { chat, tokenizer, mask = maskKinds } = training;
  const text = chat.render(messages, messages.at(-1)?.role !== 'assistant');
  const ranges: MaskRange[] = [];
  for (const at of learnt) {
    const answer = answerAt(messages, at, text, chat);
    if (answer) ranges.push(...rangesOf(placed(text, answer, divide), mask));
    else notes.push({ kind: 'issue', code: 'rewritten-answer', path: `messages[${at}]` });
  }
  return tokenMembers(text, ranges, tokenizer, notes);
}

/**
 * Finds an answer in the text of the whole conversation. Undefined where the template writes it otherwise than as the last
 * message, or begins it otherwise than the prompt does: then nothing in the text is what the model wrote.
 */
function answerAt(
  messages: readonly ChatMessage[],
  at: number,
  whole: string,
  chat: ChatTemplate,
): ChatAnswer | undefined {
  const prompt = chat.render(messages.slice(0, at), true);
  const then = at === messages.length - 1 ? whole : chat.render(messages.slice(0, at + 1), false);
  if (!then.startsWith(prompt) || !whole.startsWith(prompt)) return undefined;
  const answer = answerIn(then, prompt.length, chat.stops, messages[at]?.content);
  return whole.startsWith(then.slice(0, answer.end)) ? answer : undefined;
}

/** Finds the end token that follows an answer. A token of that text inside the answer itself does not count. */
export function answerIn(
  then: string,
  start: number,
  stops: readonly string[],
  content: string | undefined,
): ChatAnswer {
  const written = then.slice(start).trimEnd();
  const said = content?.trimEnd() ?? '';
  const stop =
    said !== '' && written.endsWith(said) ? undefined : stops.find((token) => written.endsWith(token));
  const end = start + written.length;
  return stop === undefined ? { start, close: end, end } : { start, close: end - stop.length, end };
}

function placed(text: string, { start, close, end }: ChatAnswer, divide: Divide) {
  const parts = divide(text.slice(start, close));
  return { start, text: start + parts.text, calls: start + parts.calls, close, end };
}
