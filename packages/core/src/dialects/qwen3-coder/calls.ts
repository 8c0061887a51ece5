// Writes the calls of qwen3-coder. Its template prints scalars as Python does (`True`, `None`).

import type { Writer } from '../../engine/dialect.js';
import { callField } from '../../engine/message-text.js';
import {
  type Asked,
  argumentsJson,
  argumentsOf,
  declaredTypes,
  readsAsString,
  tagsHoldKeys,
  tagsHoldValues,
} from '../../families/writing/call-arguments.js';
import { toPythonText } from '../../families/writing/python-text.js';
import type { ExactValue, ToolCall } from '../../model/index.js';

/** How a template writes calls in its prompt: between two of them, and what is no string. */
export interface CallsLayout {
  /** Default a line break. */
  between?: string;
  /** Behind each call. Default nothing. */
  behind?: string;
  /** `json`: true and null, not True and None. */
  words?: 'json';
}

export function writeCalls(
  out: Writer,
  calls: readonly ToolCall[],
  tools?: Asked,
  { between = '\n', behind = '', words }: CallsLayout = {},
): void {
  for (const [at, call] of calls.entries()) {
    writeCall(out.ours(at > 0 ? between : ''), call, tools, words);
    out.ours(behind);
  }
}

function writeCall(out: Writer, call: ToolCall, tools: Asked, words: CallsLayout['words']): void {
  const args = argumentsOf(call);
  const field = callField(call);
  out.ours('<tool_call>\n<function=').outside(call.name, field).ours('>\n');
  if (!tagsHoldKeys(out, args) || !tagsHoldValues(out, call, args, tools)) {
    out.jsonText(argumentsJson(args), field).ours('\n</function>\n</tool_call>');
    return;
  }
  for (const { key, value } of args) {
    out.ours('<parameter=').outside(key, field).ours('>\n');
    if (typeof value === 'string') out.outside(value, field);
    else if (words !== 'json' && isPythonWord(out, call, key, value, tools))
      out.outside(toPythonText(value), field);
    else out.json(value, field);
    out.ours('\n</parameter>\n');
  }
  out.ours('</function>\n</tool_call>');
}

/**
 * Whether the value is written as True, False or None, as the template does. A reader that may take a string takes
 * these words for strings, so where the schema allows strings, JSON's words are written.
 */
function isPythonWord(out: Writer, call: ToolCall, key: string, value: ExactValue, tools: Asked): boolean {
  if (value !== null && typeof value !== 'boolean') return false;
  if (out.safety === 'exact' || !tools?.length) return true;
  return !readsAsString(toPythonText(value), declaredTypes(call, key, tools));
}
