// The prompt of each turn of a conversation, exactly as the model is sent it, and what it wrote behind it.

import type { Conversation, Dialect, RenderOptions, TracedAnswer } from '@dragoman/core/internal';
import { renderOwnMessages, renderOwnPrompt, tracePrompt } from '@dragoman/core/internal';
import { layoutOf } from '../text/layout.js';
import { answerIn, type ChatTemplate } from './chat-tokens.js';
import { withLastEnd } from './last-end.js';
import { turnsOf } from './training.js';

export interface TurnSample {
  /** From 1. */
  turn: number;
  /** The index of its first message, and the one behind its last. */
  first: number;
  end: number;
  prompt: string;
  completion: string;
  /** Places in the prompt with the completion behind it, of each message of the turn. */
  answers: Omit<TracedAnswer, 'message'>[];
  /** The template writes the answer with another beginning than the prompt gave it. */
  begunOtherwise: boolean;
}

export function promptSamples(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
): TurnSample[] {
  return turnsOf(conversation.messages).map(({ first, end }, at) => {
    const prompt = promptOf(dialect, conversation, first, options);
    const asked = { ...conversation, messages: conversation.messages.slice(0, end) };
    const traced = tracePrompt(dialect, asked, { ...options, generate: false });
    const whole = withLastEnd(dialect, asked.messages, traced);
    const answers = whole.answers.filter(({ message }) => message >= first);
    const head = () => headOf(dialect, conversation, first, options, prompt);
    return { turn: at + 1, first, end, prompt, ...completionOf(dialect, prompt, head, whole.text, answers) };
  });
}

/** Gives what the prompt of a turn ends with: the beginning of the answer, which the template writes for the model. */
function headOf(
  dialect: Dialect,
  conversation: Conversation,
  first: number,
  options: RenderOptions,
  prompt: string,
): string {
  const asked = { ...conversation, messages: conversation.messages.slice(0, first) };
  const { text } = renderOwnPrompt(dialect, asked, { ...options, generate: false });
  return prompt.startsWith(text) ? prompt.slice(text.length) : '';
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
): Pick<TurnSample, 'completion' | 'answers' | 'begunOtherwise'> {
  const [begin, last] = [answers[0], answers.at(-1)];
  if (!begin || !last) return { completion: '', answers: [], begunOtherwise: false };
  if (whole.startsWith(prompt) && begin.start === prompt.length)
    return { completion: whole.slice(begin.start, last.end), answers: [...answers], begunOtherwise: false };
  // The template writes the turns before otherwise now, without their reasoning; the answer itself begins as the prompt ends.
  const own = whole.startsWith(prompt) ? '' : head();
  if (own !== '' && whole.endsWith(own, begin.start))
    return {
      completion: whole.slice(begin.start, last.end),
      answers: answers.map((answer) => shiftedBy(answer, prompt.length - begin.start)),
      begunOtherwise: false,
    };
  // The prompt began reasoning that the answer does not have, or gave no room for reasoning that it has.
  const { reasoning } = dialect.traits;
  const isOpen = reasoning !== undefined && prompt.trimEnd().endsWith(reasoning.open.trimEnd());
  const lead = isOpen ? reasoning.close + (layoutOf(dialect).prompt?.gap ?? '') : '';
  const shifted = answers.map((answer) => shiftedBy(answer, prompt.length + lead.length - begin.text));
  if (shifted[0]) shifted[0].start = prompt.length;
  return { completion: lead + whole.slice(begin.text, last.end), answers: shifted, begunOtherwise: true };
}

function shiftedBy(
  { start, text, calls, close, end }: TracedAnswer,
  by: number,
): TurnSample['answers'][number] {
  return { start: start + by, text: text + by, calls: calls + by, close: close + by, end: end + by };
}

/** Does the same for messages: the prompt is the text of the messages before, as far as a prefix goes. */
export function messagesSamples(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
): TurnSample[] {
  return turnsOf(conversation.messages).map(({ first, end }, at) => {
    const prompt = messagesPromptOf(dialect, conversation, first, options);
    const whole = messagesPromptOf(dialect, conversation, end, options);
    const completion = whole.startsWith(prompt) ? whole.slice(prompt.length) : '';
    return { turn: at + 1, first, end, prompt, completion, answers: [], begunOtherwise: false };
  });
}

/** Does the same for messages in the frames of a chat template. `sent`: the messages before a turn, as they are sent. */
export function chatSamples(
  messages: readonly { role: string }[],
  sent: (end: number) => readonly SentMessage[],
  chat: ChatTemplate,
): TurnSample[] {
  return turnsOf(messages).map(({ first, end }, at) => {
    const prompt = chat.render(sent(first), true);
    const whole = chat.render(sent(end), false);
    const begins = whole.startsWith(prompt);
    const { close, end: last } = answerIn(whole, prompt.length, chat.stops, sent(end).at(-1)?.content);
    const completion = begins ? whole.slice(prompt.length, last) : '';
    const answers = [{ start: prompt.length, text: prompt.length, calls: close, close, end: last }];
    return { turn: at + 1, first, end, prompt, completion, answers, begunOtherwise: !begins };
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
