// The arguments of a call as text.

import type { ToolCall } from '../model/index.js';
import { isObject, parseExact } from '../model/index.js';
import { parsedJson } from './values.js';

/**
 * Gives the arguments as the model wrote them, or in the spelling they `came` in, unless the input was changed since.
 */
export function argumentsOf({ raw, input }: Pick<ToolCall, 'raw' | 'input'>, came?: string): string {
  const written = JSON.stringify(input);
  if (raw === undefined || JSON.stringify(parsedJson(raw)) !== written) return written;
  return came ?? raw;
}

/**
 * Gives arguments from the history as the JSON text of an object. Text that is no JSON object (cut off, most likely)
 * becomes `{"arguments": text}`: the agent has already answered that call with an error, and the rest of its session
 * must not be refused because of it.
 */
export function objectText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return '{}';
  try {
    const value = parseExact(text);
    if (isObject(value) || value instanceof Map) return text;
  } catch {
    // The text is no JSON, or is nested too deep.
  }
  return JSON.stringify({ arguments: text });
}
