// The arguments of a call as a dialect writes them down.

import { ExactNumber, type ExactValue, isObject, parseExact, type ToolCall } from '../../model/index.js';

/** The arguments with their author's own digits and key order, where these are known and are JSON. */
export function inputOf(call: ToolCall): ExactValue {
  if (call.raw === undefined) return call.input;
  try {
    const value = parseExact(call.raw);
    return isObject(value) && !(value instanceof ExactNumber) ? value : call.input;
  } catch {
    return call.input;
  }
}
