// Prepares a conversation for rendering, so that the text can be read back. What this drops is noted like any other
// loss.

import type { Conversation, Dialect, Message, ToolCall, ToolResult } from '@dragoman/core/internal';
import { callsOf, orderResults, Writer } from '@dragoman/core/internal';
import { checkResultOrder } from '../forms/result-order.js';

/**
 * Removes `isError` from results: a renderer writes it as `Error: `, which cannot be told from a tool that wrote these
 * words itself.
 */
export function plainResults(conversation: Conversation): Conversation {
  if (!conversation.messages.some(hasError)) return conversation;
  return { ...conversation, messages: conversation.messages.map(withoutErrors) };
}

function hasError(message: Message): boolean {
  return message.role === 'tool' && message.parts.some(({ isError }) => isError);
}

function withoutErrors(message: Message): Message {
  if (message.role !== 'tool') return message;
  return { ...message, parts: message.parts.map(({ isError: _, ...result }) => result) };
}

/** Throws a RowError where the text would give a result to another call than its own. */
export function checkResults(dialect: Dialect, { messages }: Conversation): void {
  if (!dialect.traits.ids) checkResultOrder(messages, writesNames(dialect));
}

const NAME = 'named_tool';

const naming = new WeakMap<Dialect, boolean>();

/** Whether results have the names of their tools. */
function writesNames(dialect: Dialect): boolean {
  let named = naming.get(dialect);
  if (named === undefined) {
    const out = new Writer(dialect.markers);
    const call: ToolCall = { type: 'tool-call', id: 'call_1', name: NAME, input: {} };
    const result: ToolResult = { type: 'tool-result', callId: call.id, name: NAME, output: '' };
    dialect.render.results(out, [result], { calls: [call] });
    named = out.text.includes(NAME);
    naming.set(dialect, named);
  }
  return named;
}

/** Prepares a conversation for a prompt. One that was read from a prompt needs no change. */
export function readyForPrompt(dialect: Dialect, conversation: Conversation): Conversation {
  return unsplitTexts(dialect, orderedResults(plainResults(conversation)));
}

/** Puts results in the order of their calls, as `renderMessages` does: most prompts have no ids to tell them apart. */
function orderedResults(conversation: Conversation): Conversation {
  const messages: Message[] = [];
  let calls: ToolCall[] = [];
  for (const message of conversation.messages) {
    const last = messages.at(-1);
    if (message.role === 'assistant')
      calls = last?.role === 'assistant' ? [...calls, ...callsOf(message)] : callsOf(message);
    if (message.role !== 'tool') messages.push(message);
    else if (last?.role === 'tool') last.parts = inOrder([...last.parts, ...message.parts], calls);
    else messages.push({ ...message, parts: inOrder(message.parts, calls) });
  }
  return { ...conversation, messages };
}

function inOrder(results: readonly ToolResult[], calls: readonly ToolCall[]): ToolResult[] {
  return results.length > 1 ? orderResults(results, calls) : [...results];
}

/**
 * Adds an empty reasoning part to answers without one. Templates look for reasoning tags in the text of such answers
 * and cut the text there; an empty part prevents that.
 */
export function unsplitTexts({ traits }: Dialect, conversation: Conversation): Conversation {
  const close = traits.reasoning?.close;
  if (close === undefined) return conversation;
  const messages = conversation.messages.map((message): Message => {
    if (message.role !== 'assistant' || message.parts.some((part) => part.type === 'reasoning'))
      return message;
    const shows = message.parts.some((part) => part.type === 'text' && part.text.includes(close));
    return shows ? { ...message, parts: [{ type: 'reasoning', text: '' }, ...message.parts] } : message;
  });
  return { ...conversation, messages };
}
