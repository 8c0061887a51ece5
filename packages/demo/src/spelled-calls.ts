// Reads requests that spell their calls out, as `dragoman verify` does:
//
//   Call the tool `echo` with exactly this text, character by character:
//   <<<
//   first line
//   >>>

import type { Tool } from '@dragoman/core';
import { isObject, type JsonObject } from '@dragoman/core/internal';
import { parsedObject } from './parsed-object.js';
import { propertiesOf } from './schema-values.js';

const HEADS = ['Call the tool `', '调用工具 `'];
const BEGIN = '\n<<<\n';
const END = '\n>>>';
/** What stands between the markers is a text, and not the arguments as JSON. */
const TEXT = /\btext\b|文字/;

interface SpelledCall {
  name: string;
  input: JsonObject;
}

/** Gives the calls in their order; none where the question spells out no call of these tools. */
export function spelledCalls(question: string, tools: readonly Tool[]): SpelledCall[] {
  const calls: SpelledCall[] = [];
  for (let from = 0; ; ) {
    const begin = question.indexOf(BEGIN, from);
    const end = begin < 0 ? -1 : question.indexOf(END, begin + BEGIN.length - 1);
    if (end < 0) return calls;
    // A head within the text of another call is a part of that text.
    const line = question.slice(Math.max(from, question.lastIndexOf('\n', begin - 1) + 1), begin);
    const call = callOf(line, question.slice(begin + BEGIN.length, end), tools);
    if (call) calls.push(call);
    from = call ? end + END.length : begin + BEGIN.length - 1;
  }
}

/** `line` is what stands before the block: `Call the tool ‘echo’ with exactly this text:`. */
function callOf(line: string, block: string, tools: readonly Tool[]): SpelledCall | undefined {
  const head = HEADS.find((words) => line.startsWith(words));
  if (head === undefined) return undefined;
  const [name, ...words] = line.slice(head.length).split('`');
  const tool = tools.find((one) => one.name === name);
  const input = tool && (TEXT.test(words.join('`')) ? textInput(tool, block) : parsedObject(block));
  return tool && input && { name: tool.name, input };
}

function textInput({ parameters }: Tool, text: string): JsonObject | undefined {
  const [key] = isObject(parameters) ? propertiesOf(parameters as JsonObject).keys() : [];
  return key === undefined ? undefined : { [key]: text };
}
