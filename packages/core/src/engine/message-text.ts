// The text, reasoning and calls of a message. Parts are joined before text is neutralised, because a marker may be
// split between two parts.

import type { AssistantMessage, Message, ToolCall, ToolResult } from '../model/index.js';

/** Gives the text of a message, without the text that a model wrote after its calls (`aside`). */
export function textOf(message: Message, separator = ''): string {
  const texts: string[] = [];
  for (const part of message.parts) if (part.type === 'text' && !part.aside) texts.push(part.text);
  return texts.join(separator);
}

/** Gives the reasoning of a turn. Undefined (no reasoning given) differs from '' (given and empty). */
export function reasoningOf(message: AssistantMessage): string | undefined {
  const parts = message.parts.filter((part) => part.type === 'reasoning');
  return parts.length > 0 ? parts.map((part) => part.text).join('') : undefined;
}

export function callsOf(message: Message): ToolCall[] {
  return message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [];
}

/** Paths of the fields a text came from, for the error that it cannot be written. */
export const contentField = (at: number) => `messages[${at}].content`;
export const callField = (call: ToolCall) => `calls[${JSON.stringify(call.id)}].arguments`;
export const resultField = (result: ToolResult) => `results[${JSON.stringify(result.callId)}].output`;

/** Gives the index of the last message of a role; -1 if there is none. */
export function lastIndexOf(messages: readonly Message[], role: Message['role']): number {
  return messages.findLastIndex((message) => message.role === role);
}
