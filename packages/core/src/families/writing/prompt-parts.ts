// What several vendors' prompts share: the walk over the turns, and queries on messages and on template options.

import { callsOf, orderResults, textOf } from '../../engine/message-text.js';
import type {
  AssistantMessage,
  Message,
  SystemMessage,
  ToolCall,
  ToolResult,
  UserMessage,
} from '../../model/index.js';

/** Joins the system texts at the start of a conversation, and gives the index of the first other message. */
export function leadingSystem(messages: readonly Message[]): { text: string; rest: number } {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const rest = first < 0 ? messages.length : first;
  const texts = messages.slice(0, rest).map((message) => textOf(message));
  return { text: texts.join('\n\n'), rest };
}

export interface TurnWriters {
  text(message: SystemMessage | UserMessage, at: number): void;
  answer(message: AssistantMessage, at: number): void;
  /** Gets the results of a run of tool messages; `last` is the index of the last of them. */
  results(results: ToolResult[], last: number): void;
}

/** Writes the messages from `first` on. */
export function writeTurns(messages: readonly Message[], first: number, write: TurnWriters): void {
  for (let at = first; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role === 'assistant') write.answer(message, at);
    else if (message.role === 'tool') {
      const { results, last } = runOfResults(messages, at);
      at = last;
      write.results(results, last);
    } else write.text(message, at);
  }
}

/**
 * Gives the results of the tool messages that begin at `first`, in the order of their calls, since most prompts have no
 * other way to tell them apart; and the index of the last of these messages.
 */
function runOfResults(messages: readonly Message[], first: number): { results: ToolResult[]; last: number } {
  const results: ToolResult[] = [];
  let end = first;
  for (let message = messages[end]; message?.role === 'tool'; message = messages[++end])
    results.push(...message.parts);
  return { results: orderResults(results, callsBefore(messages, first)), last: end - 1 };
}

/** Gives the calls of the turn that ends before `at`, which may be several messages. */
function callsBefore(messages: readonly Message[], at: number): ToolCall[] {
  let start = at;
  while (messages[start - 1]?.role === 'assistant') start--;
  return messages.slice(start, at).flatMap(callsOf);
}

/** Gives a template option that is text; undefined if it is absent. */
export function templateText(template: Record<string, unknown>, key: string): string | undefined {
  const value = Object.hasOwn(template, key) ? template[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
