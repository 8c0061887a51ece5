// The arguments of a call as a dialect writes them.

import { ExactNumber, type ExactValue, isObject, type ToolCall, tryParseExact } from '../../model/index.js';

/** Gives the arguments with the author's digits and key order, where `raw` has them as valid JSON. */
export function inputOf(call: ToolCall): ExactValue {
  if (call.raw === undefined) return call.input;
  const value = tryParseExact(call.raw);
  return isObject(value) && !(value instanceof ExactNumber) ? value : call.input;
}
