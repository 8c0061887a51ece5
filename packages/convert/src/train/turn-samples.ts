// The prompt of each turn of a conversation, exactly as the model is sent it, and what it wrote behind it.

import type { Conversation, Dialect, RenderOptions, TracedAnswer } from '@dragoman/core/internal';
import { renderOwnMessages, renderOwnPrompt, tracePrompt } from '@dragoman/core/internal';
import { layoutOf } from '../text/layout.js';
import { unsplitTexts } from '../text/ready-text.js';
import { answerIn, type ChatTemplate } from './chat-tokens.js';
import { type Traced, withLastEnd } from './last-end.js';
import { opensReasoning, thoughtBehind } from './thinking.js';
import { answersOf, turnsOf } from './training.js';

/** What the model wrote in one go, up to a token at which it stops. */
export interface TurnSample {
  /** The answer it belongs to, from 1. Several samples have one, if the model stopped in between. */
  turn: number;
  /** The index of its first message, and the one behind its last. */
  first: number;
  end: number;
  prompt: string;
  /** Gives what the prompt ends with: the beginning of the answer, which the template writes for the model. */
  head(): string;
  completion: string;
  /** Places in the prompt with the completion behind it, of each message of the sample. */
  answers: TracedAnswer[];
  /** The template writes the answer with another beginning than the prompt gave it. */
  begunOtherwise: boolean;
}

export function promptSamples(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
): TurnSample[] {
  const settings = { ...options, generate: false };
  const traced = (run: Run) => {
    const answered = withPlainTexts(dialect, conversation, run);
    return withLastEnd(dialect, answered.messages, tracePrompt(dialect, answered, settings));
  };
  return turnsOf(conversation.messages).flatMap((turn, at) =>
    askedRuns(dialect, conversation, turn, traced).flatMap((run) => {
      const { first, end } = run;
      const prompt = promptOf(dialect, conversation, first, options);
      const whole = traced(run);
      const answers = whole.answers.filter(({ message }) => message >= first);
      const head = () => headOf(dialect, conversation, first, options, prompt);
      const thought = thoughtBehind(dialect, prompt, conversation.messages[first], options);
      const written = completionOf(dialect, prompt, head, whole.text, answers, thought);
      return stretchesOf(dialect, { turn: at + 1, first, end, prompt, head, ...written });
    }),
  );
}

type Run = { first: number; end: number };

/**
 * Divides a turn where the model was asked again: at each of its messages, but for those that the template joins. Behind
 * calls the model always stops, in Apertus with their closer.
 */
function askedRuns(
  dialect: Dialect,
  { messages }: Conversation,
  turn: Run,
  traced: (run: Run) => Traced,
): Run[] {
  const { first, end } = turn;
  if (end - first === 1) return [turn];
  const { text, answers } = traced(turn);
  const runs: Run[] = [];
  for (let at = first; at < end; at++) {
    const before = answers.findLast(({ message }) => message < at);
    const begin = answers.find(({ message }) => message === at);
    const last = messages[at - 1]?.parts.some(({ type }) => type === 'tool-call') ? undefined : runs.at(-1);
    if (last && before && begin && goesOn(dialect, text, before, begin)) last.end = at + 1;
    else runs.push({ first: at, end: at + 1 });
  }
  return runs;
}

/** Whether the model wrote the second answer behind the first without being asked: nothing stands between them. */
function goesOn(
  { render }: Dialect,
  text: string,
  first: { end: number },
  second: { start: number },
): boolean {
  return first.end === second.start && !render.stop.some((token) => text.endsWith(token, first.end));
}

/** Divides a sample where the model stopped: behind each call of gpt-oss. What stands before is the prompt. */
function stretchesOf(dialect: Dialect, sample: TurnSample): TurnSample[] {
  const { prompt, completion, answers, begunOtherwise } = sample;
  if (answers.length < 2) return [sample];
  const text = prompt + completion;
  const groups: TurnSample['answers'][] = [];
  for (const answer of answers) {
    const last = groups.at(-1)?.at(-1);
    if (last && goesOn(dialect, text, last, answer)) groups.at(-1)?.push(answer);
    else groups.push([answer]);
  }
  return groups.map((group, at) => {
    const start = at === 0 ? prompt.length : (group[0]?.start ?? 0);
    return {
      ...sample,
      // A later stretch goes on behind the end token of the one before.
      head: at === 0 ? sample.head : () => text.slice(groups[at - 1]?.at(-1)?.end, start),
      prompt: text.slice(0, start),
      completion: text.slice(start, group.at(-1)?.end),
      answers: group,
      begunOtherwise: begunOtherwise && at === 0,
    };
  });
}

/** Gives the messages up to these answers, in whose text a closer of reasoning stays text, as in a whole row. */
function withPlainTexts(dialect: Dialect, conversation: Conversation, { first, end }: Run): Conversation {
  const { messages } = conversation;
  const answers = unsplitTexts(dialect, { ...conversation, messages: messages.slice(first, end) });
  return { ...conversation, messages: [...messages.slice(0, first), ...answers.messages] };
}

function headOf(
  dialect: Dialect,
  conversation: Conversation,
  first: number,
  options: RenderOptions,
  prompt: string,
): string {
  const asked = { ...conversation, messages: conversation.messages.slice(0, first) };
  const { text } = renderOwnPrompt(dialect, asked, { ...options, generate: false });
  return behind(text, prompt);
}

/** Gives what stands behind the beginning of a text; nothing if it begins otherwise. */
function behind(beginning: string, text: string): string {
  return text.startsWith(beginning) ? text.slice(beginning.length) : '';
}

/** Gives the prompt of the turn that begins at this message. */
export function promptOf(
  dialect: Dialect,
  conversation: Conversation,
  first: number,
  options: RenderOptions,
): string {
  const asked = { ...conversation, messages: conversation.messages.slice(0, first) };
  return renderOwnPrompt(dialect, asked, { ...options, generate: true }).text;
}

function completionOf(
  dialect: Dialect,
  prompt: string,
  head: () => string,
  whole: string,
  answers: readonly TracedAnswer[],
  thought: string | undefined,
): Pick<TurnSample, 'completion' | 'answers' | 'begunOtherwise'> {
  const [begin, last] = [answers[0], answers.at(-1)];
  if (!begin || !last) return { completion: '', answers: [], begunOtherwise: false };
  const lacks = thought !== undefined && !begin.thinks;
  if (!lacks && whole.startsWith(prompt) && begin.start === prompt.length)
    return { completion: whole.slice(begin.start, last.end), answers: [...answers], begunOtherwise: false };
  // The template writes the turns before otherwise now, without their reasoning; the answer itself begins as the prompt ends.
  const own = lacks || whole.startsWith(prompt) ? '' : head();
  if (own !== '' && whole.endsWith(own, begin.start))
    return {
      completion: whole.slice(begin.start, last.end),
      answers: answers.map((answer) => shiftedBy(answer, prompt.length - begin.start)),
      begunOtherwise: false,
    };
  // The prompt began reasoning that the template leaves out of the answer, or that the answer does not have; or it gave no
  // room for reasoning that the answer has.
  const close = opensReasoning(dialect, prompt) ? dialect.traits.reasoning?.close : undefined;
  const closed = lacks ? thought : close;
  const lead = closed === undefined ? '' : closed + (layoutOf(dialect).prompt?.gap ?? '');
  const shifted = answers.map((answer) => shiftedBy(answer, prompt.length + lead.length - begin.text));
  if (shifted[0]) Object.assign(shifted[0], { start: prompt.length, thinks: lacks || begin.thinks });
  return { completion: lead + whole.slice(begin.text, last.end), answers: shifted, begunOtherwise: !lacks };
}

function shiftedBy(answer: TracedAnswer, by: number): TracedAnswer {
  const { start, text, calls, close, end } = answer;
  const places = { start: start + by, text: text + by, calls: calls + by, close: close + by, end: end + by };
  return { ...answer, ...places };
}

/** Does the same for messages: the prompt is the text of the messages before, as far as a prefix goes. */
export function messagesSamples(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
): TurnSample[] {
  return answersOf(conversation.messages).map(({ turn, first, end }) => {
    const prompt = messagesPromptOf(dialect, conversation, first, options);
    const whole = messagesPromptOf(dialect, conversation, end, options);
    const completion = whole.startsWith(prompt) ? whole.slice(prompt.length) : '';
    return { turn, first, end, prompt, head: () => '', completion, answers: [], begunOtherwise: false };
  });
}

/** Does the same for messages in the frames of a chat template. `sent`: the messages before a turn, as they are sent. */
export function chatSamples(
  { traits }: Dialect,
  messages: readonly { role: string }[],
  sent: (end: number) => readonly SentMessage[],
  chat: ChatTemplate,
): TurnSample[] {
  return answersOf(messages).map(({ turn, first, end }) => {
    const prompt = chat.render(sent(first), true);
    const whole = chat.render(sent(end), false);
    const begins = whole.startsWith(prompt);
    const content = sent(end).at(-1)?.content ?? '';
    const start = prompt.length;
    const { close, end: last } = answerIn(whole, start, chat.stops, content);
    const completion = begins ? whole.slice(start, last) : '';
    const { open, close: closer } = traits.reasoning ?? { open: '', close: '' };
    const thinks = open !== '' && content.startsWith(open) && completion.includes(closer);
    const text = thinks ? start + completion.indexOf(closer) + closer.length : start;
    const answers = [{ message: first, start, thinks, text, calls: close, close, end: last }];
    const head = () => behind(chat.render(sent(first), false), prompt);
    return { turn, first, end, prompt, head, completion, answers, begunOtherwise: !begins };
  });
}

export function messagesPromptOf(
  dialect: Dialect,
  conversation: Conversation,
  first: number,
  options: RenderOptions,
): string {
  const asked = { ...conversation, messages: conversation.messages.slice(0, first) };
  return sentMessages(dialect, asked, options)
    .map(({ role, content }) => `${role}\n${content}\n`)
    .join('');
}

export interface SentMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/**
 * Gives the messages as the gateway sends them to an endpoint without tools: with the reasoning of answers and the rule for
 * closers in values, and with results in the user's role, which the user's text behind them joins.
 */
export function sentMessages(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
): SentMessage[] {
  const sent: SentMessage[] = [];
  let before: string | undefined;
  const asked = { ...options, closers: true, reasoning: true };
  for (const { role, content } of renderOwnMessages(dialect, conversation, asked).messages) {
    const last = sent.at(-1);
    if (before === 'tool' && role === 'user' && last) last.content += `\n\n${content}`;
    else sent.push({ role: role === 'tool' ? 'user' : role, content });
    before = role;
  }
  return sent;
}
