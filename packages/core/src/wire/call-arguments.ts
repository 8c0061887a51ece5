// The arguments of a call as text.

import type { ToolCall } from '../model/index.js';
import { ExactNumber, isObject, tryParseExact } from '../model/index.js';
import { parsedJson } from './values.js';

/**
 * Gives the arguments as the model wrote them, or in the spelling they `came` in, unless the input was changed since.
 */
export function argumentsOf({ raw, input }: Pick<ToolCall, 'raw' | 'input'>, came?: string): string {
  const written = JSON.stringify(input);
  if (raw === undefined) return written;
  // Most models write compact JSON: reading it again would take three times as long.
  const isSame = raw === written || JSON.stringify(parsedJson(raw)) === written;
  return isSame ? (came ?? raw) : written;
}

/** Arguments as the JSON text of an object; `broken` is the text as it came, where it is none. */
interface ObjectText {
  raw: string;
  broken?: string;
}

/**
 * Reads arguments from the history. Text that is no JSON object (cut off, most likely) becomes `{"arguments": text}`:
 * the agent has already answered that call with an error, and the rest of its session must not be refused because of
 * it. A value that should have been text or an object counts as its JSON.
 */
export function readArguments(value: unknown): ObjectText {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const raw = objectText(text);
  return raw === text ? { raw } : { raw, broken: text };
}

function objectText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null') return '{}';
  // Undefined if the text is no JSON, or is nested too deep.
  const value = tryParseExact(text);
  return isObject(value) && !(value instanceof ExactNumber) ? text : JSON.stringify({ arguments: text });
}
