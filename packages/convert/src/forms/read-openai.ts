// A row of OpenAI's chat form into a conversation. Messages in the common shape are read in place; all others by
// the model's own door, which knows every spelling.

import {
  type AssistantMessage,
  acceptMessages,
  type ExactValue,
  type MediaPart,
  type Message,
  type TextPart,
  type ToolCall,
} from '@dragoman/core/internal';
import { type RowKeys, readingOf } from '../text/reading-of.js';
import { readCallInput } from './call-input.js';
import { noteContent } from './content-spelling.js';
import type { Note, Reading, Row } from './form.js';
import { addExtra, isRow, keysOf, memberAt, memberOf, messageList } from './members.js';
import { inRow } from './row-fault.js';

const rowKeys: ReadonlySet<string> = new Set([
  'messages',
  'tools',
  'functions',
  'tool_choice',
  'function_call',
]);

export function readOpenai(row: Row): Reading {
  const notes: Note[] = [];
  const list = messageList(row);
  const messages: Message[] = [];
  for (let at = 0; at < list.length; at++) {
    const message = quickMessage(list[at] as ExactValue, at);
    if (message === undefined) messages.push(...doorMessages(list, at));
    else messages.push(message);
  }
  const toolsKey = memberOf(row, 'tools') === undefined ? 'functions' : 'tools';
  const choiceKey = memberOf(row, 'tool_choice') === undefined ? 'function_call' : 'tool_choice';
  const keys: RowKeys = { tools: toolsKey, choice: choiceKey, known: rowKeys };
  return readingOf(row, keys, 'openai', messages, notes);
}

/** A fault is looked for again in the whole list, so that its path is right. */
function doorMessages(list: ExactValue[], at: number): Message[] {
  return inRow(() => {
    try {
      return acceptMessages([list[at]], 'messages').map(asTool);
    } catch (error) {
      acceptMessages(list, 'messages');
      throw error;
    }
  });
}

/** `function` is what the role was called before it was `tool`: it says no more. */
function asTool(message: Message): Message {
  if (message.role !== 'tool' || message.extra?.role !== 'function') return message;
  const { role: _, ...extra } = message.extra;
  return Object.keys(extra).length > 0
    ? { role: 'tool', parts: message.parts, extra }
    : { role: 'tool', parts: message.parts };
}

function quickMessage(value: ExactValue, at: number): Message | undefined {
  if (!isRow(value)) return undefined;
  switch (memberOf(value, 'role')) {
    case 'user':
      return userMessage(value);
    case 'assistant':
      return assistantMessage(value, at);
    case 'tool':
      return toolMessage(value);
    case 'system':
      return systemMessage(value);
    default:
      return undefined;
  }
}

function systemMessage(value: Row): Message | undefined {
  const content = memberOf(value, 'content');
  if (typeof content !== 'string') return undefined;
  const message: Message = { role: 'system', parts: [{ type: 'text', text: content }] };
  addExtra(message, value, saidKeys);
  return message;
}

const saidKeys: ReadonlySet<string> = new Set(['role', 'content']);

function userMessage(value: Row): Message | undefined {
  const content = memberOf(value, 'content');
  const parts = typeof content === 'string' ? [textPart(content)] : userParts(content);
  if (parts === undefined) return undefined;
  const message: Message = { role: 'user', parts };
  addExtra(message, value, saidKeys);
  noteContent(message, content, parts, false);
  return message;
}

function textPart(text: string): TextPart {
  return { type: 'text', text };
}

/** Text and images: anything else is for the door. */
function userParts(content: ExactValue | undefined): (TextPart | MediaPart)[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const parts: (TextPart | MediaPart)[] = [];
  for (const item of content) {
    if (!isRow(item)) return undefined;
    const type = memberOf(item, 'type');
    const text = memberOf(item, 'text');
    if (type === 'text' && typeof text === 'string') {
      const part: TextPart = { type: 'text', text };
      addExtra(part, item, textKeys);
      parts.push(part);
    } else if (type === 'image_url') parts.push({ type: 'media', media: item });
    else return undefined;
  }
  return parts;
}

const textKeys: ReadonlySet<string> = new Set(['type', 'text']);

function assistantMessage(value: Row, at: number): Message | undefined {
  const content = memberOf(value, 'content');
  const thought = thoughtOf(value);
  const texts = assistantTexts(content);
  const calls = listedCalls(memberOf(value, 'tool_calls'), at);
  const older = memberOf(value, 'function_call') !== undefined;
  if (thought === undefined || texts === undefined || calls === undefined || older) return undefined;
  const parts: AssistantMessage['parts'] = thought === '' ? [] : [{ type: 'reasoning', text: thought }];
  for (const text of texts) parts.push(text);
  for (const call of calls) parts.push(call);
  const message: Message = { role: 'assistant', parts };
  addExtra(message, value, assistantKeys);
  noteContent(message, memberAt(value, 'content'), texts, calls.length > 0);
  return message;
}

const assistantKeys: ReadonlySet<string> = new Set([
  'role',
  'content',
  'reasoning_content',
  'reasoning',
  'thinking',
  'tool_calls',
  'function_call',
]);

/** Servers spell it in three ways, some in two at once. Undefined for what only the door can read. */
function thoughtOf(value: Row): string | undefined {
  let thought = '';
  for (const key of ['reasoning_content', 'reasoning', 'thinking']) {
    const said = memberOf(value, key);
    if (said === undefined || said === '' || said === thought) continue;
    if (typeof said !== 'string' || thought !== '') return undefined;
    thought = said;
  }
  return thought;
}

function assistantTexts(content: ExactValue | undefined): TextPart[] | undefined {
  if (content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const parts = userParts(content);
  return parts?.every((part) => part.type === 'text') ? (parts as TextPart[]) : undefined;
}

/** Undefined for what only the door can read. */
function listedCalls(list: ExactValue | undefined, at: number): ToolCall[] | undefined {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return undefined;
  const calls: ToolCall[] = [];
  for (const [index, item] of list.entries()) {
    const call = isRow(item) ? listedCall(item, at, index) : undefined;
    if (call === undefined) return undefined;
    calls.push(call);
  }
  return calls;
}

function listedCall(item: Row, at: number, index: number): ToolCall | undefined {
  const inner = memberOf(item, 'function');
  const id = memberOf(item, 'id') ?? '';
  const type = memberOf(item, 'type') ?? 'function';
  if (!isRow(inner) || typeof id !== 'string' || type !== 'function') return undefined;
  const name = memberOf(inner, 'name');
  if (typeof name !== 'string' || name === '' || keysOf(inner).length > 2) return undefined;
  const path = `messages[${at}].tool_calls[${index}].function.arguments`;
  const { input, raw } = readCallInput(memberOf(inner, 'arguments'), path);
  const call: ToolCall = { type: 'tool-call', id, name, input };
  if (raw !== undefined) call.raw = raw;
  addExtra(call, item, callKeys);
  return call;
}

const callKeys: ReadonlySet<string> = new Set(['id', 'type', 'function']);

function toolMessage(value: Row): Message | undefined {
  const content = memberOf(value, 'content') ?? '';
  const callId = memberOf(value, 'tool_call_id') ?? '';
  const name = memberOf(value, 'name');
  if (typeof content !== 'string' || typeof callId !== 'string') return undefined;
  if (name !== undefined && typeof name !== 'string') return undefined;
  const message: Message = {
    role: 'tool',
    parts: [
      name === undefined
        ? { type: 'tool-result', callId, output: content }
        : { type: 'tool-result', callId, name, output: content },
    ],
  };
  // The name stays among the extra: where a file has it, its reader wants it again.
  addExtra(message, value, resultKeys);
  return message;
}

const resultKeys: ReadonlySet<string> = new Set(['role', 'content', 'tool_call_id']);
