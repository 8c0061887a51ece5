// Links calls and results that all have their ids, as those of almost every client do: only the names of results are left
// to fill in. The result is what `linkCalls` gives (link-names.test.ts).

import { isConstant } from './constants.js';
import type { Message } from './conversation.js';

/** Whether `linkCalls` has nothing to fill in. */
export function isLinked(message: Message): boolean {
  if (message.role === 'tool') return message.parts.every(({ callId, name }) => callId && name !== undefined);
  return message.role !== 'assistant' || hasIds(message);
}

/** Fills in the names, in the messages themselves. False, and nothing is changed, if they need `linkCalls`. */
export function linkNames(messages: readonly Message[]): boolean {
  if (!messages.every((message) => !isConstant(message) && hasIds(message))) return false;
  const names = new Map<string, string>();
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type === 'tool-call') names.set(part.id, part.name);
      else if (part.type === 'tool-result') {
        const name = part.name ?? names.get(part.callId);
        if (name !== undefined) part.name = name;
      }
    }
  return true;
}

function hasIds({ parts }: Message): boolean {
  for (const part of parts) {
    if (part.type === 'tool-call' && !part.id) return false;
    if (part.type === 'tool-result' && !part.callId) return false;
  }
  return true;
}
