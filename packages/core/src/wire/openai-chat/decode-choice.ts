// Which tool the model is to call, in both spellings of the chat API.

import { acceptConversation, type Conversation } from '../../model/index.js';

/** `extra` has the choice as it arrived, where it says more. Throws a UsageError with the path of the member. */
export function decodeChoice(members: {
  tool_choice?: unknown;
  function_call?: unknown;
}): Pick<Conversation, 'toolChoice' | 'extra'> {
  const { toolChoice, extra } = acceptConversation({ messages: [], ...members });
  return { toolChoice, ...(extra && { extra }) };
}

/** The choice, or undefined for what is none. */
export function choiceOf(members: { tool_choice?: unknown }): Conversation['toolChoice'] | undefined {
  try {
    return decodeChoice(members).toolChoice;
  } catch {
    return undefined;
  }
}
