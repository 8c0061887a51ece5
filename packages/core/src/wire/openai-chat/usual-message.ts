// The messages that almost every client sends, in the spelling that we write ourselves: they need no note and no check of
// other spellings. The result is what the long way gives (usual-message.test.ts).
//
//   {role: 'system' | 'user', content: 'text'}
//   {role: 'assistant', content: 'text' | null, tool_calls?: [{id, type: 'function', function: {name, arguments}}]}
//   {role: 'tool', tool_call_id, content: 'text'}

import {
  type AssistantMessage,
  isObject,
  type JsonObject,
  type Message,
  type ToolCall,
  type ToolResult,
} from '../../model/index.js';
import { MAX_JSON_DEPTH } from '../../model/json.js';
import { argumentsOf } from '../call-arguments.js';
import { parsedJson } from '../values.js';

/** Undefined for any other message. */
export function usualMessage(value: Record<string, unknown>): Message | undefined {
  const { role, content } = value;
  switch (role) {
    case 'system':
    case 'user':
      return isText(content) && hasKeys(value, textKeys)
        ? { role, parts: [{ type: 'text', text: content }] }
        : undefined;
    case 'assistant':
      return assistantMessage(value);
    case 'tool':
      return resultMessage(value);
    default:
      return undefined;
  }
}

/** Writes a message with nothing but texts, calls or one result. Undefined for any other. */
export function writeUsual(message: Message): Record<string, unknown> | undefined {
  const { role, parts, extra } = message;
  const [part] = parts;
  if (extra !== undefined || part === undefined) return undefined;
  if (role === 'assistant') return writeAssistant(message.parts);
  if (parts.length > 1) return undefined;
  if (part.type === 'text') return hasKeys(part, partKeys) ? { role, content: part.text } : undefined;
  return part.type === 'tool-result' ? writeResult(part) : undefined;
}

function writeAssistant(parts: AssistantMessage['parts']): Record<string, unknown> | undefined {
  const [first] = parts;
  const text = first?.type === 'text' && hasKeys(first, partKeys) ? first.text : undefined;
  const calls: unknown[] = [];
  for (let at = text === undefined ? 0 : 1; at < parts.length; at++) {
    const part = parts[at] as AssistantMessage['parts'][number];
    if (part.type !== 'tool-call' || !hasKeys(part, ownCallKeys)) return undefined;
    const { id, name } = part;
    calls.push({ id, type: 'function', function: { name, arguments: argumentsOf(part) } });
  }
  const content = text ?? null;
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
}

function writeResult(part: ToolResult): Record<string, unknown> | undefined {
  const { callId, output, name: _, ...rest } = part;
  if (typeof output !== 'string' || !hasKeys(rest, typeKeys)) return undefined;
  return { role: 'tool', tool_call_id: callId, content: output };
}

const typeKeys = ['type'];
const partKeys = ['type', 'text'];
const ownCallKeys = ['type', 'id', 'name', 'input', 'raw'];
const textKeys = ['role', 'content'];
const callingKeys = ['role', 'content', 'tool_calls'];
const resultKeys = ['role', 'tool_call_id', 'content'];
const callKeys = ['id', 'type', 'function'];
const functionKeys = ['name', 'arguments'];

function assistantMessage(value: Record<string, unknown>): Message | undefined {
  const { content, tool_calls: listed } = value;
  const text = isText(content) ? [{ type: 'text' as const, text: content }] : [];
  if (listed === undefined)
    return text.length > 0 && hasKeys(value, textKeys) ? { role: 'assistant', parts: text } : undefined;
  if (!Array.isArray(listed) || listed.length === 0 || !hasKeys(value, callingKeys)) return undefined;
  if (text.length === 0 && content !== null) return undefined;
  const calls: ToolCall[] = [];
  for (const item of listed) {
    const call = isObject(item) ? usualCall(item) : undefined;
    if (!call) return undefined;
    calls.push(call);
  }
  return { role: 'assistant', parts: [...text, ...calls] };
}

function usualCall(value: Record<string, unknown>): ToolCall | undefined {
  const { id, type, function: called } = value;
  if (type !== 'function' || !isText(id) || !hasKeys(value, callKeys) || !isObject(called)) return undefined;
  const { name, arguments: raw } = called;
  if (!isText(name) || !isText(raw) || !hasKeys(called, functionKeys)) return undefined;
  const input = parsedJson(raw);
  if (!isObject(input) || isDeep(input, 1)) return undefined;
  return { type: 'tool-call', id, name, input: input as JsonObject, raw };
}

function resultMessage(value: Record<string, unknown>): Message | undefined {
  const { tool_call_id: callId, content: output } = value;
  if (!isText(callId) || typeof output !== 'string' || !hasKeys(value, resultKeys)) return undefined;
  return { role: 'tool', parts: [{ type: 'tool-result', callId, output }] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function hasKeys(value: object, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in value) if (key !== keys[at++]) return false;
  return at === keys.length;
}

function isDeep(value: object, depth: number): boolean {
  if (depth > MAX_JSON_DEPTH) return true;
  for (const member of Object.values(value))
    if (typeof member === 'object' && member !== null && isDeep(member, depth + 1)) return true;
  return false;
}
