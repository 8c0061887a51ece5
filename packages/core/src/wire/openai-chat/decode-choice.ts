// Reads the tool choice, in both spellings of the chat API.

import { acceptConversation, type Conversation } from '../../model/index.js';

/** `extra` holds the choice as it came, where it has more members. Throws a UsageError with the path of the member. */
export function decodeChoice(members: {
  tool_choice?: unknown;
  function_call?: unknown;
}): Pick<Conversation, 'toolChoice' | 'extra'> {
  const { toolChoice, extra } = acceptConversation({ messages: [], ...members });
  return { toolChoice, ...(extra && { extra }) };
}

/** Gives the choice; undefined if it is invalid. */
export function choiceOf(members: { tool_choice?: unknown }): Conversation['toolChoice'] | undefined {
  try {
    return decodeChoice(members).toolChoice;
  } catch {
    return undefined;
  }
}
