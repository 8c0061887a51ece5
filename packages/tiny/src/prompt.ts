// How a conversation is spelled for the tiny model. Training and serving spell it by this code alone.
//
//   a dialect with a whole prompt   <|tiny_begin|> the prompt of the vendor
//   any other                       <|tiny_begin|><|tiny_system|>…<|tiny_user|>…<|tiny_assistant|>…<|tiny_end|>…
//
// What the model writes ends with <|tiny_end|> in both. A piece says where its text is from: tokens such as <tool_call>
// or <|tiny_user|> are found only in ours, so no text of a user or a tool can become one.

import {
  acceptConversation,
  type Dialect,
  type RenderedMessage,
  type RenderOptions,
  renderMessages,
  renderPrompt,
  type Span,
  UsageError,
} from '@dragoman/core';
import { tracePrompt } from '@dragoman/core/internal';
import type { PromptPiece } from '@dragoman/local';

/** No dialect has tokens of these names. */
export const BEGIN = '<|tiny_begin|>';
export const END = '<|tiny_end|>';

export const roleTokens: Readonly<Record<RenderedMessage['role'], string>> = {
  system: '<|tiny_system|>',
  user: '<|tiny_user|>',
  assistant: '<|tiny_assistant|>',
  tool: '<|tiny_tool|>',
};

export type PromptForm = 'prompt' | 'messages';

export interface PromptOptions extends RenderOptions {
  /** Default: the form in which the dialect is served, see `formOf`. */
  form?: PromptForm;
}

/** Gives the form in which a dialect is served: a whole prompt where it has one. */
export function formOf({ render }: Dialect): PromptForm {
  return render.prompt ? 'prompt' : 'messages';
}

/** Gives the options by which prompts of this form are rendered, here and in the bridge: it never thinks, and its context is small. */
export function renderingOf(form: PromptForm): RenderOptions {
  const rendering = { reasoning: true, thinking: false };
  return form === 'prompt' ? rendering : { ...rendering, closers: true, short: true };
}

/** Spells a conversation whose next message is the model's. */
export function promptPieces(
  dialect: Dialect,
  conversation: unknown,
  options: PromptOptions = {},
): PromptPiece[] {
  const { form = formOf(dialect), ...given } = options;
  const rendering = { ...renderingOf(form), ...given };
  return form === 'prompt'
    ? piecesOfPrompt(renderPrompt(dialect, conversation, rendering))
    : piecesOfMessages(renderMessages(dialect, conversation, rendering));
}

/** Spells a prompt that was rendered already. */
export function piecesOfPrompt({ text, spans }: { text: string; spans: readonly Span[] }): PromptPiece[] {
  return [ours(BEGIN), ...piecesOf(text, spans)];
}

/** Spells messages that were rendered already. */
export function piecesOfMessages({ messages }: { messages: readonly RenderedMessage[] }): PromptPiece[] {
  const pieces = [ours(BEGIN)];
  for (const { role, content, spans } of messages) {
    pieces.push(ours(roleTokens[role]), ...piecesOf(content, spans));
    if (role === 'assistant') pieces.push(ours(END));
  }
  return [...pieces, ours(roleTokens.assistant)];
}

/** Spells what the model is to write behind `promptPieces` of the messages before: the last one, and the end. */
export function answerPieces(
  dialect: Dialect,
  conversation: { messages: readonly unknown[] },
  options: PromptOptions = {},
): PromptPiece[] {
  const { form = formOf(dialect), ...given } = options;
  const rendering = { ...renderingOf(form), ...given };
  if (form === 'messages') {
    const answer = renderMessages(dialect, conversation, rendering).messages.at(-1);
    if (answer?.role !== 'assistant') throw noAnswer();
    return [...piecesOf(answer.content, answer.spans), ours(END)];
  }
  const { text, spans, answers } = tracePrompt(dialect, acceptConversation(conversation), {
    ...rendering,
    generate: false,
  });
  const answer = answers.at(-1);
  if (answer?.message !== conversation.messages.length - 1) throw noAnswer();
  const asked = { ...conversation, messages: conversation.messages.slice(0, -1) };
  const prompt = renderPrompt(dialect, asked, rendering).text;
  // Some templates write an answer of the past otherwise than a prompt begins it.
  const begin = answers.find(({ message }) => message === answer.message) ?? answer;
  const start = text.startsWith(prompt) ? prompt.length : begin.start;
  // Behind calls that wait for their results, a template may open these: that is not the model's.
  const forged = dialect.grammar.notice?.filter(({ code }) => code === 'forged-result') ?? [];
  const opened = forged.find(({ marker }) => text.slice(start, answer.end).endsWith(marker));
  return [...piecesOf(text, spans, start, answer.end - (opened?.marker.length ?? 0)), ours(END)];
}

function noAnswer(): UsageError {
  return new UsageError('bad-conversation', 'expected the last message to be one of the assistant');
}

function ours(text: string): PromptPiece {
  return { text, origin: 'ours' };
}

function piecesOf(text: string, spans: readonly Span[], from = 0, to = text.length): PromptPiece[] {
  return spans.flatMap(({ start, end, origin }) => {
    const piece = text.slice(Math.max(start, from), Math.min(end, to));
    return piece === '' ? [] : [{ text: piece, origin }];
  });
}
