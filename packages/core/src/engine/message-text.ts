// What a message says, by kind. Parts are joined here, before anything is neutralised: two halves of a marker
// are harmless only if they are seen at once.

import type { AssistantMessage, Message, ToolCall, ToolResult } from '../model/index.js';

/** The text of a message. Text a model wrote behind its calls is no answer and is not said again. */
export function textOf(message: Message, separator = ''): string {
  const texts: string[] = [];
  for (const part of message.parts) if (part.type === 'text' && !part.aside) texts.push(part.text);
  return texts.join(separator);
}

/** The reasoning of a turn; undefined where none is given, which is not the same as given and empty. */
export function reasoningOf(message: AssistantMessage): string | undefined {
  const parts = message.parts.filter((part) => part.type === 'reasoning');
  return parts.length > 0 ? parts.map((part) => part.text).join('') : undefined;
}

export function callsOf(message: Message): ToolCall[] {
  return message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [];
}

/** Where a text came from, for whoever has to be told that it cannot be written. */
export const contentField = (at: number) => `messages[${at}].content`;
export const callField = (call: ToolCall) => `calls[${JSON.stringify(call.id)}].arguments`;
export const resultField = (result: ToolResult) => `results[${JSON.stringify(result.callId)}].output`;

/** Where the last message of a role stands; -1 if there is none. */
export function lastIndexOf(messages: readonly Message[], role: Message['role']): number {
  return messages.findLastIndex((message) => message.role === role);
}
