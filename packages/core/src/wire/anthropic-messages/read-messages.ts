// Reads messages of this API in rows: the common shapes in place, all others by `acceptMessages`. A user's message with
// results becomes two, the results first. Requests use the readers of single blocks, too.

import { acceptSystem } from '../../model/accept-messages.js';
import type {
  AssistantMessage,
  ExactValue,
  MediaPart,
  Message,
  ReasoningPart,
  TextPart,
  ToolCall,
  ToolResult,
} from '../../model/index.js';
import { noteContent } from '../content-spelling.js';
import { addExtra, type ExactObject, isExactObject, memberAt, memberOf } from '../exact-members.js';
import { acceptMessageAt, type ReadContext, readAll, readText } from '../transcript-codec.js';
import { readResult } from './read-result.js';

export const rowKeys: ReadonlySet<string> = new Set(['system', 'messages', 'tools', 'tool_choice']);
const messageKeys: ReadonlySet<string> = new Set(['role', 'content']);

/** Notes on a user's message that it was not in one message with the results before it. */
export const APART = 'dragoman:apart';
/** Notes on a system message that it was among the messages. */
export const INLINE = 'dragoman:inline';

export function readMessages(row: ExactObject, list: ExactValue[], context: ReadContext): Message[] {
  const messages: Message[] = readSystem(memberOf(row, 'system'));
  for (let at = 0; at < list.length; at++) readMessage(messages, list, at, context);
  return messages;
}

function readSystem(value: ExactValue | undefined): Message[] {
  if (value === undefined || value === '') return [];
  const messages = acceptSystem(value, 'system');
  const [only] = messages;
  if (only !== undefined && messages.length === 1) noteContent(only, value, only.parts, false);
  return messages;
}

function readMessage(out: Message[], list: ExactValue[], at: number, context: ReadContext): void {
  const value = list[at] as ExactValue;
  const results = out.at(-1)?.role === 'tool';
  const role = isExactObject(value) ? memberOf(value, 'role') : undefined;
  const before = out.length;
  if (role === 'user' && isExactObject(value)) userMessages(out, value, at, context);
  else if (role === 'assistant' && isExactObject(value)) assistantMessage(out, value, at, context);
  if (out.length === before) out.push(...acceptMessageAt(list, at));
  const [first] = out.slice(before);
  if (first?.role === 'user' && results) first.extra = { ...first.extra, [APART]: true };
  if (first?.role === 'system') first.extra = { ...first.extra, [INLINE]: true };
}

/** Reads a user's message. Adds nothing if only `acceptMessages` can read it. */
function userMessages(out: Message[], value: ExactObject, at: number, context: ReadContext): void {
  const content = memberAt(value, 'content');
  const results: ToolResult[] = [];
  const parts = userParts(content, results, at, context);
  if (parts === undefined) return;
  const last: Message =
    results.length > 0 && parts.length === 0 ? { role: 'tool', parts: results } : { role: 'user', parts };
  addExtra(last, value, messageKeys);
  if (last.role === 'user') {
    if (results.length > 0) out.push({ role: 'tool', parts: results });
    else noteContent(last, content, parts, false);
  }
  out.push(last);
}

function userParts(
  content: ExactValue | undefined,
  results: ToolResult[],
  at: number,
  context: ReadContext,
): (TextPart | MediaPart)[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return undefined;
  const parts: (TextPart | MediaPart)[] = [];
  for (const [index, block] of content.entries()) {
    if (!isExactObject(block)) return undefined;
    const type = memberOf(block, 'type');
    const text = type === 'text' ? readText(block) : undefined;
    const result = type === 'tool_result' ? readResult(block) : undefined;
    if (text !== undefined) parts.push(text);
    else if (type === 'image') parts.push({ type: 'media', media: block });
    else if (result === undefined) return undefined;
    else {
      // Both the API and the model have results first.
      if (parts.length > 0) context.repaired('results-first', `messages[${at}].content[${index}]`);
      results.push(result);
    }
  }
  return parts;
}

/** Reads an assistant's message. Adds nothing if only `acceptMessages` can read it. */
function assistantMessage(out: Message[], value: ExactObject, at: number, context: ReadContext): void {
  const content = memberAt(value, 'content');
  const parts = assistantParts(content, at, context);
  if (parts === undefined) return;
  const message: Message = { role: 'assistant', parts };
  addExtra(message, value, messageKeys);
  noteContent(message, content, parts, false);
  out.push(message);
}

function assistantParts(
  content: ExactValue | undefined,
  at: number,
  context: ReadContext,
): AssistantMessage['parts'] | undefined {
  if (content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return readAll(content, (block, index) =>
    assistantPart(block, `messages[${at}].content[${index}]`, context),
  );
}

function assistantPart(
  block: ExactObject,
  path: string,
  context: ReadContext,
): AssistantMessage['parts'][number] | undefined {
  switch (memberOf(block, 'type')) {
    case 'text':
      return readText(block);
    case 'thinking':
      return thought(block);
    case 'tool_use':
      return call(block, path, context);
    case 'redacted_thinking': {
      const part: ReasoningPart = { type: 'reasoning', text: '' };
      addExtra(part, block, noKeys);
      return part;
    }
    default:
      return undefined;
  }
}

const noKeys: ReadonlySet<string> = new Set();
const thoughtKeys: ReadonlySet<string> = new Set(['type', 'thinking']);
const callKeys: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input']);

function thought(block: ExactObject): ReasoningPart | undefined {
  const text = memberOf(block, 'thinking');
  if (typeof text !== 'string') return undefined;
  const part: ReasoningPart = { type: 'reasoning', text };
  addExtra(part, block, thoughtKeys);
  return part;
}

function call(block: ExactObject, path: string, context: ReadContext): ToolCall | undefined {
  const id = memberOf(block, 'id') ?? '';
  const name = memberOf(block, 'name');
  if (typeof id !== 'string' || typeof name !== 'string' || name === '') return undefined;
  const part: ToolCall = {
    type: 'tool-call',
    id,
    name,
    ...context.readInput(memberOf(block, 'input'), `${path}.input`),
  };
  addExtra(part, block, callKeys);
  return part;
}
