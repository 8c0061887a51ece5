// The arguments of a call: JSON text, or the object itself. Its text is kept where a program has to write the same
// again; digits and key order that JavaScript forgets are kept by it as well.

import {
  ExactNumber,
  type ExactValue,
  isObject,
  type JsonObject,
  parseExact,
  stringifyJson,
  type ToolCall,
  toPlain,
} from '@dragoman/core/internal';
import { isExactly, isPlainValue } from '../quick/plain-json.js';
import { RowError } from './form.js';
import { wrongRow } from './row-fault.js';

type Input = Pick<ToolCall, 'input' | 'raw'>;

/** Nothing, or blank text, is no arguments. */
export function readCallInput(value: ExactValue | undefined, path: string): Input {
  if (typeof value === 'string') return fromText(value, path);
  if (value === undefined) return { input: {} };
  if (!isObject(value) || value instanceof ExactNumber) {
    throw wrongRow(path, 'arguments that are a JSON object, or its text', value);
  }
  if (isPlainValue(value)) return { input: value as JsonObject };
  return { input: toPlain(value) as JsonObject, raw: stringifyJson(value, 'compact') };
}

function fromText(text: string, path: string): Input {
  if (text.trim() === '') return { input: {} };
  const input = plainObject(text);
  if (input === undefined) throw notAnObject(text, path);
  return { input, raw: text };
}

/** Undefined for what is no object, or nested too deep. */
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

/** As text: the author's where it is known. */
export function inputText({ raw, input }: Input): string {
  return raw ?? JSON.stringify(input);
}

/** As the value, exact. */
export function exactInput({ raw, input }: Input): ExactValue {
  return raw === undefined || isExactly(raw, input) ? input : parseExact(raw);
}
