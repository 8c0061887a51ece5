// A shortcut for conversations that our own code made and is about to render. If validation (acceptConversation) would
// return them unchanged, they are not copied. Only for rendering, which changes nothing.

import { acceptConversation } from './accept-conversation.js';
import { acceptedTools } from './accept-tools.js';
import type { AssistantMessage, Conversation, Message, Tool, ToolCall, ToolMessage } from './conversation.js';
import { MAX_JSON_DEPTH } from './json.js';

/**
 * Gives what `acceptConversation` gives, and calls it in every doubtful case. The caller must not change the result.
 */
export function acceptOwn(conversation: Conversation): Conversation {
  const tools = acceptedOf(conversation.tools);
  if (!tools || !conversation.messages.every(isSettled)) return acceptConversation(conversation);
  return { ...conversation, tools };
}

/** Gives the accepted copies of kept tools; undefined if a tool is not kept or two tools share a name. */
function acceptedOf(tools: readonly Tool[]): Tool[] | undefined {
  const accepted: Tool[] = [];
  for (const tool of tools) {
    const known = acceptedTools.get(tool);
    if (!known || accepted.some(({ name }) => name === known.name)) return undefined;
    accepted.push(known);
  }
  return accepted;
}

function isSettled(message: Message): boolean {
  if (message.role === 'assistant') return isSettledAnswer(message);
  if (message.role === 'tool') return isSettledResult(message);
  return message.parts.every((part) => part.type === 'text' && typeof part.text === 'string');
}

function isSettledAnswer({ parts }: AssistantMessage): boolean {
  return parts.every((part) =>
    part.type === 'tool-call' ? isSettledCall(part) : typeof part.text === 'string',
  );
}

/** Whether the call has an id, a name, and a raw text that agrees with its input. */
function isSettledCall({ id, name, input, raw }: ToolCall): boolean {
  if (id === '' || name === '' || raw === undefined || isDeep(raw)) return false;
  const written = JSON.stringify(input);
  if (written === raw) return true;
  try {
    return written === JSON.stringify(JSON.parse(raw));
  } catch {
    return false;
  }
}

/** Whether the JSON may be nested too deeply: it holds more opening brackets than the depth limit. */
function isDeep(raw: string): boolean {
  return raw.length > MAX_JSON_DEPTH && raw.split('[').length + raw.split('{').length > MAX_JSON_DEPTH;
}

function isSettledResult({ parts }: ToolMessage): boolean {
  return parts.every(
    ({ callId, name, output }) => callId !== '' && name !== undefined && typeof output === 'string',
  );
}
