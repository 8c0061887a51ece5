// Freeform tools take plain text instead of JSON, which may have to follow a grammar: OpenAI's tools of the type `custom`.
// In the model, such a tool has one argument, the text. So everything that does not know of them (prompts, checks, APIs
// without them) handles them like any other tool; `freeform` says what the tool really is.

import { functionTool } from './accept-tools.js';
import type { Conversation, Extra, Freeform, JsonSchema, Message, Tool, ToolCall } from './conversation.js';
import { someOf } from './frozen-lists.js';
import { isObject } from './json.js';

const KEY = 'input';

const advice =
  'The input of this tool as plain text, exactly as the tool shall read it. All of the text goes into this one string, ' +
  'also where the tool is described as one that takes no JSON.';

export function freeformTool(name: string, description: string | undefined, freeform: Freeform): Tool {
  const parameters: JsonSchema = {
    type: 'object',
    properties: { [KEY]: { type: 'string', description: inputWords(freeform) } },
    required: [KEY],
    additionalProperties: false,
  };
  return {
    name,
    ...(description !== undefined && { description }),
    parameters,
    source: functionTool(name, description, parameters),
    freeform,
  };
}

function inputWords({ grammar }: Freeform): string {
  if (grammar === undefined) return advice;
  const { syntax, definition } = grammar;
  const kind = syntax === 'regex' ? 'regular expression' : `${syntax === 'lark' ? 'Lark' : syntax} grammar`;
  return `${advice} The text must match this ${kind}:\n${definition}`;
}

/** Gives the input of a call of a freeform tool. */
export function freeformInput(text: string): { input: string } {
  return { [KEY]: text };
}

/** Gives the text of a call; undefined if its input is not that of a freeform tool. */
export function freeformText({ input }: Pick<ToolCall, 'input'>): string | undefined {
  const text = input[KEY];
  return typeof text === 'string' && Object.keys(input).length === 1 ? text : undefined;
}

/** The start of the arguments of a freeform tool as JSON, up to the text. */
export const INPUT_OPENER = `{"${KEY}":"`;
export const INPUT_CLOSER = '"}';

/** Whether a call is written as one of a freeform tool: it is one, or its tool is. */
export function isFreeform(
  { name, freeform }: { name: string; freeform?: boolean | undefined },
  tools: readonly Tool[],
): boolean {
  return freeform === true || tools.some((tool) => tool.freeform !== undefined && tool.name === name);
}

/** Gives the conversation with functions in the place of freeform tools; the same one if it has none. */
export function withoutFreeform(conversation: Conversation): Conversation {
  const { tools, messages } = conversation;
  const hasTools = tools.some(({ freeform }) => freeform !== undefined);
  if (!hasTools && !messages.some(hasFreeformCall)) return conversation;
  const { extra } = conversation;
  const choice = extra?.tool_choice;
  return {
    ...conversation,
    ...(isObject(choice) && { extra: { ...extra, tool_choice: functionChoice(choice) } }),
    tools: tools.map(({ freeform: _, ...tool }) => tool),
    messages: messages.map((message) => (hasFreeformCall(message) ? asFunctionCalls(message) : message)),
  };
}

/** Gives a tool choice as OpenAI's APIs write it, also one with a list of tools, with functions for freeform tools. */
function functionChoice(choice: Extra): Extra {
  const { allowed_tools: allowed } = choice;
  if (isObject(allowed)) return { ...choice, allowed_tools: withFunctions(allowed) };
  return withFunctions(functionEntry(choice));
}

function withFunctions(choice: Extra): Extra {
  if (!Array.isArray(choice.tools)) return choice;
  return { ...choice, tools: choice.tools.map((entry) => (isObject(entry) ? functionEntry(entry) : entry)) };
}

/** Gives the entry of a list of tools, or the choice of one tool, that names a function in the place of a freeform tool. */
export function functionEntry(entry: Extra): Extra {
  if (entry.type !== 'custom') return entry;
  const { custom, ...others } = entry;
  return { ...others, type: 'function', ...(custom !== undefined && { function: custom }) };
}

function hasFreeformCall({ role, parts }: Message): boolean {
  return role === 'assistant' && someOf(parts, (part) => part.type === 'tool-call' && part.freeform === true);
}

function asFunctionCalls(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-call') return part;
    const { freeform: _, ...call } = part;
    return call;
  });
  return { ...message, parts };
}
