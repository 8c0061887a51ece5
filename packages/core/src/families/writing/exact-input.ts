// The arguments of a call as a dialect writes them down.

import { ExactNumber, type ExactValue, isObject, type ToolCall, tryParseExact } from '../../model/index.js';

/** The arguments with their author's own digits and key order, where these are known and are JSON. */
export function inputOf(call: ToolCall): ExactValue {
  if (call.raw === undefined) return call.input;
  const value = tryParseExact(call.raw);
  return isObject(value) && !(value instanceof ExactNumber) ? value : call.input;
}
