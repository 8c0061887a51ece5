// What a tool gave back, as the text a model reads.

import { isObject, stringifyJson, type ToolCall, type ToolResult } from '../model/index.js';

/**
 * A string as it is, anything else as JSON in Python's spelling. An error says that it is one. `separator` stands
 * between the blocks of a result that came in several, where the message still has them.
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

/** Results in the order of the calls they answer: a dialect without ids has no other way to tell them apart. */
export function orderResults(results: readonly ToolResult[], calls: readonly ToolCall[]): ToolResult[] {
  const places = new Map(calls.map((call, place) => [call.id, place]));
  const placeOf = (result: ToolResult) => places.get(result.callId) ?? calls.length;
  return [...results].sort((a, b) => placeOf(a) - placeOf(b));
}
