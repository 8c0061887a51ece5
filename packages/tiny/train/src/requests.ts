// A wish: what a user asks of one tool, and the arguments that fulfil it.

import type { Wordings } from './more-wordings.js';
import type { Scalar } from './parameters.js';
import type { Split } from './word-lists.js';

export type Arguments = Record<string, Scalar | readonly Scalar[]>;

export interface Wish {
  text: string;
  /** It is a question, or a sentence that needs no opening words. */
  whole: boolean;
  input: Arguments;
  /** The arguments of a second call of the same tool: the weather in two cities. */
  second?: Arguments;
  /** The tool is named only by its noun or by nothing: another tool must not share it. */
  vague?: boolean;
}

/** A tool and the ways to ask for it. */
export interface AskedTool {
  definition: ToolDefinition;
  /** What must not be alike in two tools of a conversation. */
  subject: string;
  /** `fresh`: with other values than the first time. `without`: the required values are not said. */
  wish(options?: { fresh?: boolean; without?: 'required' }): Wish;
  required: readonly string[];
}

export interface ToolDefinition {
  name: string;
  description: string;
  parameters: ObjectSchema;
}

/** A message as Chat Completions has it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface ObjectSchema {
  type: 'object';
  properties: Record<string, Property>;
  required?: string[];
}

export interface Property {
  type: string;
  description?: string;
  enum?: string[];
  items?: { type: string };
}

export function wordingsFor({ seen, unseen, trained }: Wordings, split: Split): readonly string[] {
  return split === 'wording' ? unseen : split === 'train' ? trained : seen;
}

/** Gives the arguments in the order of the properties. */
export function ordered({ parameters }: ToolDefinition, input: Arguments): Arguments {
  const names = Object.keys(parameters.properties).filter((name) => Object.hasOwn(input, name));
  return Object.fromEntries(names.map((name) => [name, input[name] as Scalar]));
}
