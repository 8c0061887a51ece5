// A row of Anthropic's form into a conversation. Messages in the common shape are read in place; all others by the
// model's own door, which knows every spelling.

import {
  type AssistantMessage,
  acceptMessages,
  acceptSystem,
  type ExactValue,
  type MediaPart,
  type Message,
  type ReasoningPart,
  type TextPart,
  type ToolCall,
  type ToolResult,
} from '@dragoman/core/internal';
import { readResult } from '../text/read-result.js';
import { type RowKeys, readingOf } from '../text/reading-of.js';
import { readCallInput } from './call-input.js';
import { noteContent } from './content-spelling.js';
import type { Note, Reading, Row } from './form.js';
import { addExtra, isRow, memberAt, memberOf, messageList } from './members.js';
import { inRow } from './row-fault.js';

const rowKeys: ReadonlySet<string> = new Set(['system', 'messages', 'tools', 'tool_choice']);
const saidKeys: ReadonlySet<string> = new Set(['role', 'content']);

/** Of a user's message: it did not share a message with the results before it. */
export const APART = 'dragoman:apart';
/** Of a system message: it stood among the messages. */
export const INLINE = 'dragoman:inline';

export function readAnthropic(row: Row): Reading {
  const notes: Note[] = [];
  const list = messageList(row);
  const messages: Message[] = readSystem(memberOf(row, 'system'));
  for (let at = 0; at < list.length; at++) readMessage(messages, list, at, notes);
  const keys: RowKeys = { tools: 'tools', choice: 'tool_choice', known: rowKeys };
  return readingOf(row, keys, 'anthropic', messages, notes);
}

function readSystem(value: ExactValue | undefined): Message[] {
  if (value === undefined || value === '') return [];
  const messages = inRow(() => acceptSystem(value, 'system'));
  const [only] = messages;
  if (only !== undefined && messages.length === 1) noteContent(only, value, only.parts, false);
  return messages;
}

function readMessage(out: Message[], list: ExactValue[], at: number, notes: Note[]): void {
  const value = list[at] as ExactValue;
  const results = out.at(-1)?.role === 'tool';
  const role = isRow(value) ? memberOf(value, 'role') : undefined;
  const before = out.length;
  if (role === 'user' && isRow(value)) userMessages(out, value, at, notes);
  else if (role === 'assistant' && isRow(value)) assistantMessage(out, value, at);
  if (out.length === before) out.push(...doorMessages(list, at));
  const [first] = out.slice(before);
  if (first?.role === 'user' && results) first.extra = { ...first.extra, [APART]: true };
  if (first?.role === 'system') first.extra = { ...first.extra, [INLINE]: true };
}

/** A fault is looked for again in the whole list, so that its path is right. */
function doorMessages(list: ExactValue[], at: number): Message[] {
  return inRow(() => {
    try {
      return acceptMessages([list[at]], 'messages');
    } catch (error) {
      acceptMessages(list, 'messages');
      throw error;
    }
  });
}

/** Adds nothing where only the door can read it. */
function userMessages(out: Message[], value: Row, at: number, notes: Note[]): void {
  const content = memberAt(value, 'content');
  const results: ToolResult[] = [];
  const parts = userParts(content, results, at, notes);
  if (parts === undefined) return;
  const last: Message =
    results.length > 0 && parts.length === 0 ? { role: 'tool', parts: results } : { role: 'user', parts };
  addExtra(last, value, saidKeys);
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
  notes: Note[],
): (TextPart | MediaPart)[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return undefined;
  const parts: (TextPart | MediaPart)[] = [];
  for (const [index, block] of content.entries()) {
    if (!isRow(block)) return undefined;
    const type = memberOf(block, 'type');
    const text = type === 'text' ? textPart(block) : undefined;
    const result = type === 'tool_result' ? readResult(block) : undefined;
    if (text !== undefined) parts.push(text);
    else if (type === 'image') parts.push({ type: 'media', media: block });
    else if (result === undefined) return undefined;
    else {
      // The API wants results first, and so does the model.
      if (parts.length > 0)
        notes.push({ kind: 'repair', code: 'results-first', path: `messages[${at}].content[${index}]` });
      results.push(result);
    }
  }
  return parts;
}

const textKeys: ReadonlySet<string> = new Set(['type', 'text']);

function textPart(block: Row): TextPart | undefined {
  const text = memberOf(block, 'text');
  if (typeof text !== 'string') return undefined;
  const part: TextPart = { type: 'text', text };
  addExtra(part, block, textKeys);
  return part;
}

/** Adds nothing where only the door can read it. */
function assistantMessage(out: Message[], value: Row, at: number): void {
  const content = memberAt(value, 'content');
  const parts = assistantParts(content, at);
  if (parts === undefined) return;
  const message: Message = { role: 'assistant', parts };
  addExtra(message, value, saidKeys);
  noteContent(message, content, parts, false);
  out.push(message);
}

function assistantParts(content: ExactValue | undefined, at: number): AssistantMessage['parts'] | undefined {
  if (content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return undefined;
  const parts: AssistantMessage['parts'] = [];
  for (const [index, block] of content.entries()) {
    const part = isRow(block) ? assistantPart(block, `messages[${at}].content[${index}]`) : undefined;
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

function assistantPart(block: Row, path: string): AssistantMessage['parts'][number] | undefined {
  switch (memberOf(block, 'type')) {
    case 'text':
      return textPart(block);
    case 'thinking':
      return thought(block);
    case 'tool_use':
      return call(block, path);
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

function thought(block: Row): ReasoningPart | undefined {
  const text = memberOf(block, 'thinking');
  if (typeof text !== 'string') return undefined;
  const part: ReasoningPart = { type: 'reasoning', text };
  addExtra(part, block, thoughtKeys);
  return part;
}

function call(block: Row, path: string): ToolCall | undefined {
  const id = memberOf(block, 'id') ?? '';
  const name = memberOf(block, 'name');
  if (typeof id !== 'string' || typeof name !== 'string' || name === '') return undefined;
  const part: ToolCall = {
    type: 'tool-call',
    id,
    name,
    ...readCallInput(memberOf(block, 'input'), `${path}.input`),
  };
  addExtra(part, block, callKeys);
  return part;
}
