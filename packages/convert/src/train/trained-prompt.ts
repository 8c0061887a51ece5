// Writes the rows of one conversation for training: whole, or one a turn.

import type { Conversation, Dialect, ExactValue, RenderOptions, TracedAnswer } from '@dragoman/core/internal';
import { tracePrompt } from '@dragoman/core/internal';
import type { Note } from '../forms/form.js';
import { noteBreak, prefixMember } from './check-prefix.js';
import { withLastEnd } from './last-end.js';
import { maskMember, NOTHING_LEARNT, rangesOf, tokenMembers } from './mask.js';
import {
  type MaskRange,
  maskKinds,
  type TrainingOptions,
  trainedSamples,
  trainedTurns,
  turnsOf,
} from './training.js';
import { promptOf, promptSamples, type TurnSample } from './turn-samples.js';

type Members = [string, ExactValue][];

export interface TrainedPrompt {
  /** The whole prompt, as the template writes it. */
  text: string;
  /** The members of each row. */
  samples: Members[];
  /** The messages whose reasoning is in the whole prompt, and those whose it is in a row. */
  thinks: { text: ReadonlySet<number>; samples: ReadonlySet<number> };
}

/** `ready`: the conversation as a whole prompt is written from it. Turns are written as they were sent. */
export function trainedPrompt(
  dialect: Dialect,
  conversation: Conversation,
  ready: Conversation,
  settings: RenderOptions,
  training: TrainingOptions & { member: string },
  notes: Note[],
): TrainedPrompt {
  const traced = tracePrompt(dialect, ready, settings);
  const { perTurn, checkPrefix, member } = training;
  const whole = thinkingIn(inMessagesOf(conversation, ready, traced.answers));
  const turns = perTurn || checkPrefix ? promptSamples(dialect, conversation, settings) : [];
  const prefix: Members = [];
  if (checkPrefix) {
    const behind =
      openPrompt(dialect, conversation, settings) ?? withLastEnd(dialect, ready.messages, traced).text;
    const checked = prefixMember(turns, behind, training.tokenizer);
    noteBreak(checked, notes);
    prefix.push(['prefix', checked]);
  }
  if (perTurn) {
    const chosen = trainedSamples(turns, training.train);
    return {
      text: traced.text,
      samples: chosen.map((turn) => [...sampleMembers(turn, training, notes), ...prefix]),
      thinks: { text: whole, samples: thinkingIn(chosen.flatMap(({ answers }) => answers)) },
    };
  }
  const learnt = trainedTurns(turnsOf(ready.messages), training.train);
  const { text, answers } = learnsLastEnd(training, learnt, ready)
    ? withLastEnd(dialect, ready.messages, traced)
    : traced;
  const ranges = answers
    .filter(({ message }) => learnt.some(({ first, end }) => message >= first && message < end))
    .flatMap((answer) => rangesOf(answer, training.mask ?? maskKinds));
  const members: Members = [[member, text], ...maskMembers(text, ranges, training, notes), ...prefix];
  return { text: traced.text, samples: [members], thinks: { text: whole, samples: whole } };
}

/** Gives the answers with the messages that they were made from: in what is ready, results are joined. */
function inMessagesOf(
  { messages }: Conversation,
  ready: Conversation,
  answers: readonly TracedAnswer[],
): TracedAnswer[] {
  if (messages.length === ready.messages.length) return [...answers];
  const [own, given] = [ready.messages, messages].map((all) =>
    all.flatMap(({ role }, at) => (role === 'assistant' ? [at] : [])),
  );
  return answers.map((answer) => ({
    ...answer,
    message: given?.[own?.indexOf(answer.message) ?? -1] ?? -1,
  }));
}

/** Gives the messages whose reasoning is written. */
function thinkingIn(answers: readonly TracedAnswer[]): Set<number> {
  return new Set(answers.flatMap(({ message, thinks }) => (thinks ? [message] : [])));
}

/** Whether the mask has the end of the last answer: without a mask the row is the text of the template. */
function learnsLastEnd(
  { mask }: TrainingOptions,
  learnt: readonly { end: number }[],
  { messages }: Conversation,
): boolean {
  return mask?.includes('end') === true && learnt.at(-1)?.end === messages.length;
}

/** Gives the prompt behind the last message, if the conversation goes on there. */
function openPrompt(
  dialect: Dialect,
  conversation: Conversation,
  settings: RenderOptions,
): string | undefined {
  const { messages } = conversation;
  if (messages.at(-1)?.role === 'assistant') return undefined;
  return promptOf(dialect, conversation, messages.length, settings);
}

function sampleMembers(
  turn: TurnSample,
  training: TrainingOptions & { member: string },
  notes: Note[],
): Members {
  const { prompt, completion, answers, begunOtherwise } = turn;
  if (begunOtherwise) notes.push({ kind: 'issue', code: 'begun-otherwise', path: `messages[${turn.first}]` });
  const ranges = answers.flatMap((answer) => rangesOf(answer, training.mask ?? maskKinds));
  return [
    [training.member, prompt],
    ['completion', completion],
    ['turn', turn.turn],
    ...maskMembers(prompt + completion, ranges, training, notes),
  ];
}

function maskMembers(
  text: string,
  ranges: readonly MaskRange[],
  { mask, tokenizer }: TrainingOptions,
  notes: Note[],
): Members {
  if (!mask) return [];
  if (ranges.length === 0) notes.push(NOTHING_LEARNT);
  const member: Members = [['mask', maskMember(text, ranges)]];
  return tokenizer ? [...member, ...tokenMembers(text, ranges, tokenizer, notes)] : member;
}
