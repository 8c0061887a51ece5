// Queries on a conversation and on template options that several vendors' prompts share.

import { callsOf, textOf } from '../../engine/message-text.js';
import { orderResults } from '../../engine/result-text.js';
import type { Message, ToolCall, ToolResult } from '../../model/index.js';

/** Joins the system texts at the start of a conversation, and gives the index of the first other message. */
export function leadingSystem(messages: readonly Message[]): { text: string; rest: number } {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const rest = first < 0 ? messages.length : first;
  const texts = messages.slice(0, rest).map((message) => textOf(message));
  return { text: texts.join('\n\n'), rest };
}

/**
 * Gives the results of the tool messages that begin at `first`, in the order of their calls, since most prompts have no
 * other way to tell them apart; and the index of the last of these messages.
 */
export function runOfResults(
  messages: readonly Message[],
  first: number,
): { results: ToolResult[]; last: number } {
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
