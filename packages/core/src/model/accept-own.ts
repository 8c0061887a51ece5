// Conversations that we have made ourselves, on their way to be rendered: where one looks at them and sees that
// acceptance would give them back as they are, they are not copied. For rendering alone, which changes nothing.

import { acceptConversation } from './accept-conversation.js';
import { acceptedTools } from './accepted-tools.js';
import type { AssistantMessage, Conversation, Message, Tool, ToolCall, ToolMessage } from './conversation.js';
import { MAX_JSON_DEPTH } from './json.js';

/** As `acceptConversation`, which it asks whenever it is not sure. Its answer must not be changed. */
export function acceptOwn(conversation: Conversation): Conversation {
  const tools = acceptedOf(conversation.tools);
  if (!tools || !conversation.messages.every(isSettled)) return acceptConversation(conversation);
  return { ...conversation, tools };
}

/** Undefined where one is not kept, or two have one name. */
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

/** It has an id, a name, and a text that says what its input is. */
function isSettledCall({ id, name, input, raw }: ToolCall): boolean {
  if (id === '' || name === '' || raw === undefined || isDeep(raw)) return false;
  const said = JSON.stringify(input);
  if (said === raw) return true;
  try {
    return said === JSON.stringify(JSON.parse(raw));
  } catch {
    return false;
  }
}

/** It may be: there are many brackets. */
function isDeep(raw: string): boolean {
  return raw.length > MAX_JSON_DEPTH && raw.split('[').length + raw.split('{').length > MAX_JSON_DEPTH;
}

function isSettledResult({ parts }: ToolMessage): boolean {
  return parts.every(
    ({ callId, name, output }) => callId !== '' && name !== undefined && typeof output === 'string',
  );
}
