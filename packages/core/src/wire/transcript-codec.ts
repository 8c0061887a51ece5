// The messages of an API in files: rows of exact JSON, read and written by the API's codec, beside the code for its
// requests.
//
// A codec reads the common shape of a message in place and gives every other shape to `acceptMessages`. It makes no
// report itself: it calls its context for every repair, and for everything the API cannot express.

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
import { addExtra, type ExactObject, isExactObject, memberOf } from './exact-members.js';

/** The codec of one API for rows that hold a conversation. */
export interface TranscriptCodec {
  /** All members of a row that the API knows. */
  readonly keys: ReadonlySet<string>;
  /** Gives the name of the row's member that holds its tools. */
  toolsKey(row: ExactObject): string;
  /** Reads the tool choice. Throws a UsageError for an invalid one. */
  readChoice(row: ExactObject): ReadChoice;
  /** Reads `list`, which is the row's `messages`. Throws a UsageError for an invalid message. */
  readMessages(row: ExactObject, list: ExactValue[], context: ReadContext): Message[];
  /** Reads a tool of the common shape in place; undefined for any other, which `acceptTools` may read. */
  readTool(value: ExactValue): Tool | undefined;
  /** Writes the messages as members of a row, in the API's order. */
  writeMessages(messages: readonly Message[], context: WriteContext): [key: string, value: ExactValue][];
  writeTool(tool: Tool, path: string, context: WriteContext): ExactValue;
  writeChoice(choice: ToolChoice): ExactValue;
}

export interface ReadChoice extends Pick<Conversation, 'toolChoice' | 'extra'> {
  /** The choice as the row spells it, if it is in today's spelling. */
  arrived?: ExactValue;
}

export interface ReadContext {
  /** Reads the arguments of a call, from text or an object. Throws for anything else. */
  readInput(value: ExactValue | undefined, path: string): Pick<ToolCall, 'input' | 'raw'>;
  /** Reports something that was repaired on reading. */
  repaired(code: 'results-first', path: string): void;
}

/** What an API cannot express. */
type CodecLoss =
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
  /** Whether the conversation came by this API, so that its `extra` is written again. */
  readonly own: boolean;
  lose(code: CodecLoss, path: string): void;
  /** Writes an `extra` of this API into the members; reports one of another API as lost. */
  beside(members: Members, extra: Extra | undefined, path: string): void;
  /** Writes the arguments of a call as text. */
  inputText(call: ToolCall): string;
}

export interface WriteContext extends PartContext {
  /** The names of the tools by the ids of their calls, which a reader can work out by itself. */
  readonly names: ReadonlyMap<string, string>;
  /** Reports an `extra` that cannot be written; the `ignored` members carry no information. */
  loseExtra(extra: Extra | undefined, path: string, ...ignored: string[]): void;
  /** Reports the blocks and members that another API had in a result beside its text. */
  loseResult(extra: Extra | undefined, path: string): void;
  /** Gives the arguments of a call as an exact value. */
  inputValue(call: ToolCall): ExactValue;
  stringify(value: ExactValue): string;
}

/** Reads every object of a list; undefined if it is no list, or `read` gives undefined for one of them. */
export function readAll<T>(
  list: ExactValue | undefined,
  read: (item: ExactObject, at: number) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const all: T[] = [];
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    const one = isExactObject(item) ? read(item, at) : undefined;
    if (one === undefined) return undefined;
    all.push(one);
  }
  return all;
}

/** Reads `{type: 'text', text}` and its other members; undefined if `text` is no string. */
export function readText(part: ExactObject): TextPart | undefined {
  const text = memberOf(part, 'text');
  if (typeof text !== 'string') return undefined;
  const read: TextPart = { type: 'text', text };
  addExtra(read, part, textKeys);
  return read;
}

const textKeys: ReadonlySet<string> = new Set(['type', 'text']);

/** Reads a message in any shape. To give the right path in an error, it reads the whole list again. */
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

/** Gives the choice as it came, if it holds more than our own. */
export function richerChoice(extra: Extra | undefined): unknown {
  return extra?.tool_choice;
}

/**
 * Gives where a row says that only one call may be made at a time: the key of a member beside the conversation, or
 * `toolChoice`. Undefined: several may be made.
 */
export function oneCallPath(
  members: Iterable<readonly [string, unknown]>,
  extra: Extra | undefined,
): string | undefined {
  for (const [key, value] of members) if (key === 'parallel_tool_calls' && value === false) return key;
  const choice = richerChoice(extra);
  const isOne = isExactObject(choice) && memberOf(choice, 'disable_parallel_tool_use') === true;
  return isOne ? 'toolChoice' : undefined;
}

/** The members after all others, where there are any. */
export const lastKeys = { tools: 'tools', choice: 'tool_choice' } as const;
