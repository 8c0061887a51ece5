// The arguments of a call as text.

import type { ToolCall } from '../model/index.js';
import { isObject, parseExact } from '../model/index.js';
import { parsedJson } from './values.js';

/** As their author wrote them, or as they `came`, unless the input was changed since. */
export function argumentsOf({ raw, input }: Pick<ToolCall, 'raw' | 'input'>, came?: string): string {
  const written = JSON.stringify(input);
  if (raw === undefined || JSON.stringify(parsedJson(raw)) !== written) return written;
  return came ?? raw;
}

/**
 * Arguments in a history, as the JSON of an object. What is none (cut off, most likely) is told to the model as a
 * value: the agent has answered it with an error, and a session that holds it must not be refused for ever.
 */
export function objectText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return '{}';
  try {
    const value = parseExact(text);
    if (isObject(value) || value instanceof Map) return text;
  } catch {
    // No JSON, or nested too deep.
  }
  return JSON.stringify({ arguments: text });
}
