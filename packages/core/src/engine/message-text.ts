// The text, reasoning and calls of a message. Parts are joined before text is neutralised, because a marker may be
// split between two parts.

import { ofType } from '../model/frozen-lists.js';
import {
  type AssistantMessage,
  isObject,
  type Message,
  stringifyJson,
  type ToolCall,
  type ToolResult,
} from '../model/index.js';

/** Gives the text of a message, without the text that a model wrote after its calls (`aside`). */
export function textOf(message: Message, separator = ''): string {
  const texts: string[] = [];
  for (const part of message.parts) if (part.type === 'text' && !part.aside) texts.push(part.text);
  return texts.join(separator);
}

/** Gives the reasoning of a turn. Undefined (no reasoning given) differs from '' (given and empty). */
export function reasoningOf(message: AssistantMessage): string | undefined {
  const parts = ofType(message.parts, 'reasoning');
  return parts.length > 0 ? parts.map((part) => part.text).join('') : undefined;
}

export function callsOf(message: Message): ToolCall[] {
  return message.role === 'assistant' ? ofType(message.parts, 'tool-call') : [];
}

/** Paths of the fields a text came from, for the error that it cannot be written. */
export const contentField = (at: number) => `messages[${at}].content`;
export const callField = (call: ToolCall) => `calls[${JSON.stringify(call.id)}].arguments`;
export const resultField = (result: ToolResult) => `results[${JSON.stringify(result.callId)}].output`;

/** Gives the index of the last message of a role; -1 if there is none. */
export function lastIndexOf(messages: readonly Message[], role: Message['role']): number {
  return messages.findLastIndex((message) => message.role === role);
}

/**
 * Gives a string unchanged, anything else as JSON in Python's format. An error begins with `Error`. `separator` joins
 * the blocks of a result that came in several, where the message still has them.
 */
export function resultText(result: ToolResult, separator = ''): string {
  const text = outputText(result, separator);
  return result.isError && !saysError(text) ? `Error: ${text}` : text;
}

function outputText({ output, extra }: ToolResult, separator: string): string {
  if (typeof output !== 'string') return stringifyJson(output, 'python');
  const texts = blockTexts(extra?.content);
  return texts.join('') === output ? texts.join(separator) : output;
}

function blockTexts(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []));
}

function saysError(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'error';
}

/** Sorts results into the order of their calls: a dialect without ids matches them by order. */
export function orderResults(results: readonly ToolResult[], calls: readonly ToolCall[]): ToolResult[] {
  const places = new Map(calls.map((call, place) => [call.id, place]));
  const placeOf = (result: ToolResult) => places.get(result.callId) ?? calls.length;
  return [...results].sort((a, b) => placeOf(a) - placeOf(b));
}
