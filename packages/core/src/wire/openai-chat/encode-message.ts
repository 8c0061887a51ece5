// One message as the chat API has it. A message of several results becomes several messages.

import type {
  AssistantMessage,
  Extra,
  MediaPart,
  Message,
  TextPart,
  ToolCall,
  ToolResult,
} from '../../model/index.js';
import { isObject } from '../../model/index.js';
import { toChatMedia } from './media.js';
import { type Group, type Note, noteOf, restOf, sameJson, writeMembers } from './spelling.js';

/** A note on a message that has to be read as one although we would write several. */
export interface MessageNote extends Note {
  whole?: { as: unknown; meaning: unknown };
}

const assistantKeys = [
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'thinking',
  'tool_calls',
  'function_call',
];

export function encodeMessage(message: Message): unknown[] {
  const note = noteOf<MessageNote>(message.extra);
  if (message.role === 'tool' && message.parts.length !== 1) {
    const several = message.parts.map((part) => encodeResult(part, 'tool'));
    return note?.whole && sameJson(note.whole.meaning, several) ? [note.whole.as] : several;
  }
  const groups = messageGroups(message);
  return [writeMembers(groups, restOf(message.extra, groups), note)];
}

export function messageGroups(message: Message): Group[] {
  const said = message.extra?.role;
  const role = said === 'developer' || said === 'function' ? said : message.role;
  const roleGroup = { name: 'role', keys: ['role'], members: { role } };
  switch (message.role) {
    case 'assistant':
      return [
        roleGroup,
        {
          name: 'said',
          keys: assistantKeys,
          members: assistantMembers(message),
          meaning: meaningOf(message),
        },
      ];
    case 'tool': {
      const [result] = message.parts;
      const { role: _, ...members } = result === undefined ? {} : encodeResult(result, role);
      const keys = ['tool_call_id', 'toolCallId', 'name', 'content'];
      const meaning = { members, name: result?.name };
      return [roleGroup, { name: 'result', keys, members, meaning }];
    }
    default:
      return [
        roleGroup,
        { name: 'content', keys: ['content'], members: { content: encodeContent(message.parts) } },
      ];
  }
}

function assistantMembers(message: AssistantMessage): Extra {
  const texts = message.parts.filter((part) => part.type === 'text' && !part.aside) as TextPart[];
  const reasoning = message.parts.filter((part) => part.type === 'reasoning').map((part) => part.text);
  const calls = message.parts.filter((part) => part.type === 'tool-call');
  const silent = calls.length > 0 ? null : '';
  return {
    content: texts.length > 0 ? encodeContent(texts) : silent,
    ...(reasoning.join('') !== '' && { reasoning_content: reasoning.join('') }),
    ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
  };
}

/** Also what the members cannot show, so that a change of it is seen: where a thought or a call stands. */
function meaningOf(message: AssistantMessage): unknown {
  return { members: assistantMembers(message), kinds: message.parts.map((part) => part.type) };
}

function encodeContent(parts: (TextPart | MediaPart)[]): unknown {
  const [only] = parts;
  if (only === undefined) return '';
  const plain = parts.length === 1 && only.type === 'text' && Object.keys(only.extra ?? {}).length === 0;
  return plain ? only.text : parts.map(encodePart);
}

function encodePart(part: TextPart | MediaPart): unknown {
  if (part.type === 'media') return toChatMedia(part.media);
  const { extra = {}, text } = part;
  if (text === '' && extra.part !== undefined) return extra.part;
  if (extra.type === 'refusal') return { ...extra, refusal: text };
  return { type: 'text', text, ...extra };
}

function encodeCall(call: ToolCall): unknown {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentsOf(call) },
    ...call.extra,
  };
}

/** The arguments as their author wrote them, unless the input was changed since. */
export function argumentsOf({ raw, input }: Pick<ToolCall, 'raw' | 'input'>): string {
  const written = JSON.stringify(input);
  if (raw === undefined) return written;
  try {
    return JSON.stringify(JSON.parse(raw)) === written ? raw : written;
  } catch {
    return written;
  }
}

function encodeResult(result: ToolResult, role: string): Extra {
  const content = resultContent(result);
  return role === 'function'
    ? { role, name: result.name ?? result.callId, content }
    : { role: 'tool', tool_call_id: result.callId, content };
}

/** The API has no word for a failure: the text says it. */
function resultContent({ output, isError, extra }: ToolResult): unknown {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (isError) return text.slice(0, 5).toLowerCase() === 'error' ? text : `Error: ${text}`;
  const blocks = extra?.content;
  return Array.isArray(blocks) && blocks.map(blockText).join('') === output ? blocks : text;
}

function blockText(block: unknown): string {
  return isObject(block) && typeof block.text === 'string' ? block.text : '';
}
