// Reads messages in the spellings of the APIs, role by role. One message may become two: Anthropic puts tool results
// into the user's message, and the AI SDK puts results of the provider's own tools into the assistant's.

import {
  type Incoming,
  incomingParts,
  isCall,
  isReasoning,
  isText,
  toCall,
  toListedCall,
  toReasoning,
  toText,
} from './accept-parts.js';
import { isResult, toResult, toToolMessage } from './accept-results.js';
import type {
  AssistantMessage,
  Extra,
  MediaPart,
  Message,
  SystemMessage,
  TextPart,
  ToolMessage,
} from './conversation.js';
import { extraOf, type Fields, fieldsOf, notExpected, pick, toOpaque } from './fields.js';
import { copyWritten } from './written-turn.js';

/** A message as it arrived. */
interface IncomingMessage {
  fields: Fields;
  path: string;
  /** Whether it has `parts`, the mark of our own form. */
  own: boolean;
}

/** The members in which servers send reasoning. */
export const reasoningKeys = ['reasoning_content', 'reasoning', 'thinking'];

export function acceptMessages(list: unknown[], path: string): Message[] {
  return list.flatMap((value, at) => acceptMessage(value, `${path}[${at}]`));
}

/** Anthropic's and the AI SDK's system prompt beside the messages: text, parts, or system messages. */
export function acceptSystem(value: unknown, path: string): Message[] {
  if (value === undefined || value === '') return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > 0 && list.every((item) => fieldsOf(item)?.get('role') === 'system')) {
    return list.flatMap((item, at) => acceptMessage(item, list === value ? `${path}[${at}]` : path));
  }
  return [{ role: 'system', parts: incomingParts(value, path, false).map(systemPart) }];
}

/** Reads one message, which may become two: results in a message with other parts get one of their own. */
export function acceptMessage(value: unknown, path: string): Message[] {
  const fields = fieldsOf(value);
  if (fields === undefined) throw notExpected(path, 'a message: {role, content}', value);
  const message = { fields, path, own: Array.isArray(fields.get('parts')) && !fields.has('content') };
  switch (fields.get('role')) {
    case 'system':
    case 'developer':
      return [systemMessage(message)];
    case 'user':
      return userMessages(message);
    case 'assistant':
      return assistantMessages(message);
    case 'tool':
    case 'function':
      return [toolMessage(message)];
    default: {
      const roles = 'one of the roles system, developer, user, assistant, tool';
      throw notExpected(`${path}.role`, roles, fields.get('role'));
    }
  }
}

function systemMessage(message: IncomingMessage): SystemMessage {
  const extra = messageExtra(message, []);
  return { role: 'system', parts: contentOf(message).map(systemPart), ...(extra && { extra }) };
}

function systemPart(part: Incoming): TextPart {
  if (isText(part)) return toText(part);
  throw notExpected(part.path, 'text, which is all a system message holds', part.value);
}

function userMessages(message: IncomingMessage): Message[] {
  const content = contentOf(message);
  const results = content.filter(isResult).map(toResult);
  const parts = content
    .filter((part) => !isResult(part))
    .map((part) => (isText(part) ? toText(part) : toMedia(part)));
  const extra = messageExtra(message, []);
  const carried = extra && { extra };
  if (results.length === 0) return [{ role: 'user', parts, ...carried }];
  if (parts.length === 0) return [{ role: 'tool', parts: results, ...carried }];
  return [
    { role: 'tool', parts: results },
    { role: 'user', parts, ...carried },
  ];
}

/** Keeps a media part of ours, or any part that is no text, as it arrived. */
function toMedia({ value, fields, type, path, own }: Incoming): MediaPart {
  if (type !== 'media' || !fields.has('media')) return { type: 'media', media: toOpaque(value, path) };
  const extra = extraOf(fields, ['type', 'media', ...(own ? ['ofResult'] : [])], own, path);
  return {
    type: 'media',
    media: toOpaque(fields.get('media'), path),
    ...(own && fields.get('ofResult') === true && { ofResult: true }),
    ...(extra && { extra }),
  };
}

function assistantMessages(message: IncomingMessage): Message[] {
  const { fields, path, own } = message;
  const content = contentOf(message).filter((part) => part.value !== '');
  const reasoning = own ? { text: '', keys: [] } : reasoningField(fields);
  const parts: AssistantMessage['parts'] = content.filter((part) => !isResult(part)).map(assistantPart);
  if (reasoning.text !== '') parts.unshift({ type: 'reasoning', text: reasoning.text });
  if (!own) parts.push(...listedCalls(fields, path));
  const extra = messageExtra(message, ['tool_calls', 'function_call', ...reasoning.keys]);
  const results = content.filter(isResult).map(toResult);
  const answer: AssistantMessage = { role: 'assistant', parts, ...(extra && { extra }) };
  if (own) copyWritten({ parts: fields.get('parts') as AssistantMessage['parts'] }, answer);
  return results.length === 0 ? [answer] : [answer, { role: 'tool', parts: results }];
}

function assistantPart(part: Incoming): AssistantMessage['parts'][number] {
  if (isText(part)) return toText(part);
  if (isReasoning(part)) return toReasoning(part);
  if (isCall(part)) return toCall(part);
  const refusal = part.fields.get('refusal');
  if (part.type === 'refusal' && typeof refusal === 'string') {
    const extra = extraOf(part.fields, ['refusal'], part.own, part.path);
    return { type: 'text', text: refusal, ...(extra && { extra }) };
  }
  // A text prompt cannot show this part, but the API it came from must find it again at its place.
  return { type: 'text', text: '', extra: { part: toOpaque(part.value, part.path) } };
}

/** Servers spell reasoning under three keys, some under two at once. The first that is not empty counts. */
function reasoningField(fields: Fields): { text: string; keys: string[] } {
  const found = reasoningKeys
    .map((key) => fields.get(key))
    .find((value) => typeof value === 'string' && value);
  const text = typeof found === 'string' ? found : '';
  return { text, keys: reasoningKeys.filter((key) => [null, '', text].includes(fields.get(key) as string)) };
}

function listedCalls(fields: Fields, path: string): AssistantMessage['parts'] {
  const single = pick(fields, 'function_call');
  if (single !== undefined) return [toListedCall(single, `${path}.function_call`)];
  const calls = pick(fields, 'tool_calls') ?? [];
  if (!Array.isArray(calls)) throw notExpected(`${path}.tool_calls`, 'a list of calls', calls);
  return calls.map((call, at) => toListedCall(call, `${path}.tool_calls[${at}]`));
}

function toolMessage(message: IncomingMessage): ToolMessage {
  const { fields, path, own } = message;
  const content = fields.get(own ? 'parts' : 'content');
  const holdsResults = Array.isArray(content) && content.some(looksLikeResult);
  if (!own && !holdsResults) {
    const extra = messageExtra(message, ['tool_call_id', 'toolCallId', 'name']);
    return toToolMessage(fields, path, extra);
  }
  const parts = contentOf(message);
  const others = parts.filter((part) => !isResult(part)).map((part) => toOpaque(part.value, part.path));
  const extra: Extra = { ...messageExtra(message, []), ...(others.length > 0 && { parts: others }) };
  const results = parts.filter(isResult).map(toResult);
  return { role: 'tool', parts: results, ...(Object.keys(extra).length > 0 && { extra }) };
}

function looksLikeResult(item: unknown): boolean {
  const type = fieldsOf(item)?.get('type');
  return type === 'tool-result' || type === 'tool_result' || type === 'tool-error';
}

function contentOf({ fields, path, own }: IncomingMessage): Incoming[] {
  const key = own ? 'parts' : 'content';
  return incomingParts(fields.get(key), `${path}.${key}`, own);
}

/** Collects the members of a message besides its content. A role that we spell otherwise is kept, too. */
function messageExtra({ fields, path, own }: IncomingMessage, known: string[]): Extra | undefined {
  const extra = extraOf(fields, own ? ['role', 'parts'] : ['role', 'content', ...known], own, path);
  const role = fields.get('role');
  return role === 'developer' || role === 'function' ? { ...extra, role } : extra;
}
