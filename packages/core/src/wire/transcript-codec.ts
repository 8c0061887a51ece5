// The messages of an API in files: rows of exact JSON, read and written by the codec of the API beside its requests.
//
// A codec reads the common shape of a message in place and gives every other shape to `acceptMessages`. It decides
// nothing about reports: what it read generously, and what the API cannot say, it tells to its context.

import { acceptConversation } from '../model/accept-conversation.js';
import { acceptMessages } from '../model/accept-messages.js';
import type {
  Conversation,
  ExactValue,
  Extra,
  Message,
  TextPart,
  Tool,
  ToolCall,
  ToolChoice,
} from '../model/index.js';
import { addExtra, type ExactObject, memberOf } from './exact-members.js';

/** The codec of one API for rows that hold a conversation. */
export interface TranscriptCodec {
  /** All members of a row that the API knows. */
  readonly keys: ReadonlySet<string>;
  /** The member of this row that holds its tools. */
  toolsKey(row: ExactObject): string;
  /** Throws a UsageError for what is no choice. */
  readChoice(row: ExactObject): ReadChoice;
  /** `list` is what the row has as `messages`. Throws a UsageError for what is no message. */
  readMessages(row: ExactObject, list: ExactValue[], context: ReadContext): Message[];
  /** A tool in the common shape, read in place; undefined for any other, which `acceptTools` may read. */
  readTool(value: ExactValue): Tool | undefined;
  /** The messages as members of a row, in the order of the API. */
  writeMessages(messages: readonly Message[], context: WriteContext): [key: string, value: ExactValue][];
  writeTool(tool: Tool, path: string, context: WriteContext): ExactValue;
  writeChoice(choice: ToolChoice): ExactValue;
}

export interface ReadChoice extends Pick<Conversation, 'toolChoice' | 'extra'> {
  /** As the row spells it, where it is in the words of today. */
  arrived?: ExactValue;
}

export interface ReadContext {
  /** The arguments of a call, as text or as an object. Throws for anything else. */
  readInput(value: ExactValue | undefined, path: string): Pick<ToolCall, 'input' | 'raw'>;
  /** Something was read generously. */
  repaired(code: 'results-first', path: string): void;
}

/** What an API cannot say. */
export type CodecLoss =
  | 'media'
  | 'message-bounds'
  | 'part-order'
  | 'reasoning'
  | 'result-errors'
  | 'result-names'
  | 'result-values'
  | 'roles'
  | 'text-after-calls'
  | 'tools';

export type Members = { [key: string]: ExactValue };

/** How parts of messages are written, in a request as in a row. */
export interface PartContext {
  /** The conversation came by this API, so that its `extra` is known and written again. */
  readonly own: boolean;
  lose(code: CodecLoss, path: string): void;
  /** Writes an `extra` of this API beside the members; reports one of another. */
  beside(members: Members, extra: Extra | undefined, path: string): void;
  /** The arguments of a call as text. */
  inputText(call: ToolCall): string;
}

export interface WriteContext extends PartContext {
  /** The names of the tools by the ids of their calls: what a reader finds out by itself. */
  readonly names: ReadonlyMap<string, string>;
  /** Reports an `extra` that cannot be said; the `ignored` members say nothing. */
  loseExtra(extra: Extra | undefined, path: string, ...ignored: string[]): void;
  /** Reports what another API said of a result beside its text. */
  loseResult(extra: Extra | undefined, path: string): void;
  /** The arguments of a call as an exact value. */
  inputValue(call: ToolCall): ExactValue;
  stringify(value: ExactValue): string;
}

/** `{type: 'text', text}` with what stands beside it; undefined for a text that is none. */
export function readText(part: ExactObject): TextPart | undefined {
  const text = memberOf(part, 'text');
  if (typeof text !== 'string') return undefined;
  const read: TextPart = { type: 'text', text };
  addExtra(read, part, textKeys);
  return read;
}

const textKeys: ReadonlySet<string> = new Set(['type', 'text']);

/** A message in any shape. A fault is looked for again in the whole list, so that its path is right. */
export function acceptMessageAt(list: ExactValue[], at: number): Message[] {
  try {
    return acceptMessages([list[at]], 'messages');
  } catch (error) {
    acceptMessages(list, 'messages');
    throw error;
  }
}

export function readChoice(row: ExactObject, key: 'tool_choice' | 'function_call'): ReadChoice {
  const value = memberOf(row, key);
  if (value === undefined) return { toolChoice: 'auto' };
  const { toolChoice, extra = {} } = acceptConversation({ messages: [], [key]: value });
  return { toolChoice, extra, ...(key === 'tool_choice' && { arrived: value }) };
}

/** What the choice said beyond ours. */
export function richerChoice(extra: Extra | undefined): unknown {
  return extra?.tool_choice;
}

/** `tools` and `tool_choice`, behind what else was said, where there are any. */
export function endRow(
  said: [string, ExactValue][],
  tools: ExactValue | undefined,
  choice: ExactValue | undefined,
): [string, ExactValue][] {
  if (tools !== undefined) said.push(['tools', tools]);
  if (choice !== undefined) said.push(['tool_choice', choice]);
  return said;
}
