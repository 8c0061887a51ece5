// The output of a tool as the text that a model reads.

import { isObject, stringifyJson, type ToolCall, type ToolResult } from '../model/index.js';

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
