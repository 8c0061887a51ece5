// Reads messages of the chat API in rows: the common shapes in place, all others by `acceptMessages`.
//
// Any spelling is read: `functions` and `function_call` as well as `tools` and `tool_calls`; reasoning in
// `reasoning_content`, `reasoning` or `thinking`; null means absent.

import { reasoningKeys } from '../../model/accept-messages.js';
import type {
  AssistantMessage,
  ExactValue,
  MediaPart,
  Message,
  TextPart,
  ToolCall,
} from '../../model/index.js';
import { noteContent } from '../content-spelling.js';
import { addExtra, type ExactObject, isExactObject, keysOf, memberAt, memberOf } from '../exact-members.js';
import { acceptMessageAt, type ReadContext, readAll, readText } from '../transcript-codec.js';

export const rowKeys = new Set(['messages', 'tools', 'functions', 'tool_choice', 'function_call']);

export function readMessages(_row: ExactObject, list: ExactValue[], context: ReadContext): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at < list.length; at++) {
    const message = commonMessage(list[at] as ExactValue, at, context);
    if (message === undefined) messages.push(...acceptMessageAt(list, at).map(asTool));
    else messages.push(message);
  }
  return messages;
}

/** Drops the role `function` from the `extra`: it is only the older name of `tool`. */
function asTool(message: Message): Message {
  if (message.role !== 'tool' || message.extra?.role !== 'function') return message;
  const { role: _, ...extra } = message.extra;
  return Object.keys(extra).length > 0
    ? { role: 'tool', parts: message.parts, extra }
    : { role: 'tool', parts: message.parts };
}

/** Undefined if only `acceptMessages` can read it; the same holds for all functions below. */
function commonMessage(value: ExactValue, at: number, context: ReadContext): Message | undefined {
  if (!isExactObject(value)) return undefined;
  switch (memberOf(value, 'role')) {
    case 'user':
      return textMessage('user', value);
    case 'assistant':
      return assistantMessage(value, at, context);
    case 'tool':
      return toolMessage(value);
    case 'system':
      return textMessage('system', value);
    default:
      return undefined;
  }
}

/** Reads a system or user message. A system message holds one text. */
function textMessage(role: 'system' | 'user', value: ExactObject): Message | undefined {
  const content = memberOf(value, 'content');
  if (role === 'system' && typeof content !== 'string') return undefined;
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : userParts(content);
  if (parts === undefined) return undefined;
  const message = { role, parts } as Message;
  addExtra(message, value, textKeys);
  noteContent(message, content, parts, false);
  return message;
}

const textKeys: ReadonlySet<string> = new Set(['role', 'content']);

/** Reads parts that are text and images only. */
function userParts(content: ExactValue | undefined): (TextPart | MediaPart)[] | undefined {
  return readAll(content, (item) => {
    const type = memberOf(item, 'type');
    if (type === 'image_url') return { type: 'media', media: item };
    return type === 'text' ? readText(item) : undefined;
  });
}

function assistantMessage(value: ExactObject, at: number, context: ReadContext): Message | undefined {
  const content = memberOf(value, 'content');
  const thought = thoughtOf(value);
  const texts = assistantTexts(content);
  const listed = memberOf(value, 'tool_calls');
  const calls = listed === undefined ? [] : listedCalls(listed, at, context);
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

const assistantKeys = new Set(['role', 'content', ...reasoningKeys, 'tool_calls', 'function_call']);

/** Gives the reasoning. Servers have three names for it, and some use two at once. */
function thoughtOf(value: ExactObject): string | undefined {
  let thought = '';
  for (const key of reasoningKeys) {
    const text = memberOf(value, key);
    if (text === undefined || text === '' || text === thought) continue;
    if (typeof text !== 'string' || thought !== '') return undefined;
    thought = text;
  }
  return thought;
}

function assistantTexts(content: ExactValue | undefined): TextPart[] | undefined {
  if (content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const parts = userParts(content);
  return parts?.every((part) => part.type === 'text') ? (parts as TextPart[]) : undefined;
}

function listedCalls(list: ExactValue, at: number, context: ReadContext): ToolCall[] | undefined {
  return readAll(list, (item, index) => listedCall(item, `messages[${at}].tool_calls[${index}]`, context));
}

function listedCall(item: ExactObject, path: string, context: ReadContext): ToolCall | undefined {
  const inner = memberOf(item, 'function');
  const id = memberOf(item, 'id') ?? '';
  const type = memberOf(item, 'type') ?? 'function';
  if (!isExactObject(inner) || typeof id !== 'string' || type !== 'function') return undefined;
  const name = memberOf(inner, 'name');
  if (typeof name !== 'string' || name === '' || keysOf(inner).length > 2) return undefined;
  const { input, raw } = context.readInput(memberOf(inner, 'arguments'), `${path}.function.arguments`);
  const call: ToolCall = { type: 'tool-call', id, name, input };
  if (raw !== undefined) call.raw = raw;
  addExtra(call, item, callKeys);
  return call;
}

const callKeys: ReadonlySet<string> = new Set(['id', 'type', 'function']);

function toolMessage(value: ExactObject): Message | undefined {
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
  // The name stays in `extra`, so that a file that has it gets it again.
  addExtra(message, value, resultKeys);
  return message;
}

const resultKeys: ReadonlySet<string> = new Set(['role', 'content', 'tool_call_id']);
