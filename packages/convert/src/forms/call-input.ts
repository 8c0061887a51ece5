// Reads the arguments of a call: JSON text, or the object itself. The text is kept where it must be written again
// exactly, with the digits and the key order that JavaScript would lose.

import type { ExactValue, JsonObject, ToolCall } from '@dragoman/core/internal';
import { ExactNumber, isObject, parseExact, stringifyJson, toPlain } from '@dragoman/core/internal';
import { isExactly, isPlainValue } from '../quick/plain-json.js';
import { RowError, wrongRow } from './form.js';

type Input = Pick<ToolCall, 'input' | 'raw'>;

/** Whether there are no arguments: none, null or blank text. */
export function isMissing(value: ExactValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Reads the arguments. If they are missing, gives `{}`. */
export function readCallInput(value: ExactValue | undefined, path: string): Input {
  if (isMissing(value)) return { input: {} };
  if (typeof value === 'string') return fromText(value, path);
  if (!isObject(value) || value instanceof ExactNumber) {
    throw wrongRow(path, 'arguments that are a JSON object, or its text', value);
  }
  if (isPlainValue(value)) return { input: value as JsonObject };
  return { input: toPlain(value) as JsonObject, raw: stringifyJson(value, 'compact') };
}

function fromText(text: string, path: string): Input {
  const input = plainObject(text);
  if (input === undefined) throw notAnObject(text, path);
  return { input, raw: text };
}

/** Parses an object; undefined if it is none, or is nested too deep. */
function plainObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isExactly(text, value)) parseExact(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function notAnObject(text: string, path: string): RowError {
  try {
    return wrongRow(path, 'arguments that are a JSON object', parseExact(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new RowError(path, `${path}: expected arguments that are a JSON object: ${reason}`);
  }
}

/** Gives the arguments as text: the original one if it is known. */
export function inputText({ raw, input }: Input): string {
  return raw ?? JSON.stringify(input);
}

/** Gives the arguments as an exact value. */
export function exactInput({ raw, input }: Input): ExactValue {
  return raw === undefined || isExactly(raw, input) ? input : parseExact(raw);
}
