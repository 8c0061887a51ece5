// Links calls and results that all have their ids, as those of almost every client do: only the names of results are left
// to fill in. The result is what `linkCalls` gives (link-names.test.ts).

import { ConstantMap, isConstant, makeConstant } from './constants.js';
import type { Message, ToolMessage } from './conversation.js';
import { everyOf } from './frozen-lists.js';
import { sameItems } from './map-same.js';

/** Whether `linkCalls` has nothing to fill in. */
export function isLinked(message: Message): boolean {
  if (message.role === 'tool')
    return everyOf(message.parts, ({ callId, name }) => Boolean(callId) && name !== undefined);
  return message.role !== 'assistant' || hasIds(message);
}

/**
 * Fills in the names, in the messages themselves; constants are replaced in the list. False, and nothing is changed, if
 * they need `linkCalls`.
 */
export function linkNames(messages: Message[]): boolean {
  if (!messages.every(hasIds)) return false;
  const names = new Map<string, string>();
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool' && isConstant(message)) messages[at] = withNames(message, names);
    else
      for (const part of message.parts) {
        if (part.type === 'tool-call') names.set(part.id, part.name);
        else if (part.type === 'tool-result') {
          const name = part.name ?? names.get(part.callId);
          if (name !== undefined) part.name = name;
        }
      }
  }
  return true;
}

interface Named {
  names: readonly (string | undefined)[];
  message: ToolMessage;
}

const named = new ConstantMap<Message, Named>();

/** Gives a constant with its names. They mostly are the same as before: then the message is, too. */
function withNames(message: ToolMessage, names: ReadonlyMap<string, string>): ToolMessage {
  const found = message.parts.map(({ callId, name }) => name ?? names.get(callId));
  if (found.every((name, at) => name === message.parts[at]?.name)) return message;
  const known = named.get(message);
  if (known && sameItems(known.names, found)) return known.message;
  const parts = message.parts.map((part, at) => {
    const name = found[at];
    return name === undefined ? part : { ...part, name };
  });
  const linked = makeConstant({ ...message, parts });
  named.set(message, { names: found, message: linked });
  return linked;
}

function hasIds({ parts }: Message): boolean {
  for (const part of parts) {
    if (part.type === 'tool-call' && !part.id) return false;
    if (part.type === 'tool-result' && !part.callId) return false;
  }
  return true;
}
