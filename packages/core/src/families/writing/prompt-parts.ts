// What several vendors' prompts ask of a conversation and of the options of a template.

import { callsOf, textOf } from '../../engine/message-text.js';
import { orderResults } from '../../engine/result-text.js';
import type { Message, ToolCall, ToolResult } from '../../model/index.js';

/** The system texts a conversation begins with, as one, and where the others begin. */
export function leadingSystem(messages: readonly Message[]): { text: string; rest: number } {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const rest = first < 0 ? messages.length : first;
  const texts = messages.slice(0, rest).map((message) => textOf(message));
  return { text: texts.join('\n\n'), rest };
}

/**
 * The results of the tool messages that begin at `first`, in the order of their calls, since most prompts have no other
 * way to tell them apart; and the last of these messages.
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

/** The calls of the turn that ends before `at`, which may be several messages. */
function callsBefore(messages: readonly Message[], at: number): ToolCall[] {
  let start = at;
  while (messages[start - 1]?.role === 'assistant') start--;
  return messages.slice(start, at).flatMap(callsOf);
}

/** A text among the options of a template; undefined where none is given. */
export function templateText(template: Record<string, unknown>, key: string): string | undefined {
  const value = Object.hasOwn(template, key) ? template[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
