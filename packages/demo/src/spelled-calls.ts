// Reads requests that spell their calls out, as `dragoman verify` does:
//
//   Call the tool `echo` with exactly this text, character by character:
//   <<<
//   first line
//   >>>

import type { Tool } from '@dragoman/core';
import { isObject, type JsonObject } from '@dragoman/core/internal';
import { propertiesOf } from './schema-values.js';

const NAMED = /(?:Call the tool|调用工具) `([\w.-]{1,100})`([^\n]{0,200})\n<<<\n/g;
const END = '\n>>>';
/** What stands between the markers is a text, and not the arguments as JSON. */
const TEXT = /\btext\b|文字/;

/** Gives the calls in their order; none where the question spells out no call of these tools. */
export function spelledCalls(
  question: string,
  tools: readonly Tool[],
): { name: string; input: JsonObject }[] {
  const calls: { name: string; input: JsonObject }[] = [];
  let from = 0;
  for (const { 0: head, 1: name, 2: words = '', index } of question.matchAll(NAMED)) {
    const start = index + head.length;
    // A head within the text of another call is a part of that text.
    const end = index < from ? -1 : question.indexOf(END, start);
    const tool = tools.find((one) => one.name === name);
    if (end < 0 || !tool) continue;
    from = end;
    const block = question.slice(start, end);
    const input = TEXT.test(words) ? textInput(tool, block) : jsonInput(block);
    if (input) calls.push({ name: tool.name, input });
  }
  return calls;
}

function textInput({ parameters }: Tool, text: string): JsonObject | undefined {
  const [key] = isObject(parameters) ? propertiesOf(parameters as JsonObject).keys() : [];
  return key === undefined ? undefined : { [key]: text };
}

function jsonInput(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
