// Mends a conversation that upstreams refuse, before it is sent. An agent sends its whole history with every request,
// so one fault in it, once written, ends the session: every retry is refused for the same reason.
//
// A history without faults is given back as the same object. The result depends on the conversation alone, and earlier
// messages stay as they were sent while the conversation grows, so that prompt caches hold.

import { someOf } from '../../model/frozen-lists.js';
import type { AssistantMessage, Message, ModelRequest, SystemMessage, ToolCall } from '../../model/index.js';
import { withoutEmptyTurns } from './empty-turns.js';
import { mendArguments, needMending } from './mend-arguments.js';
import { Mends, type PlacedMessage, partPath } from './mends.js';
import { pairResults } from './pair-results.js';

export interface MendedRequest<R extends ModelRequest> {
  request: R;
  mended: Mends['list'];
}

/** Never throws. */
export function mendHistory<R extends ModelRequest>(request: R): MendedRequest<R> {
  const { conversation } = request;
  const mends = new Mends();
  const notes = new Map<ToolCall, string>();
  const placed = conversation.messages.map((message, at) => ({
    message: mendMessage({ message, at }, notes, mends),
    at,
  }));
  const messages = pairResults(withoutEmptyTurns(placed, mends), notes, mends);
  if (mends.list.length === 0) return { request, mended: [] };
  return { request: { ...request, conversation: { ...conversation, messages } }, mended: mends.list };
}

function mendMessage({ message, at }: PlacedMessage, notes: Map<ToolCall, string>, mends: Mends): Message {
  if (message.role === 'assistant') return mendCalls(message, at, notes, mends);
  if (message.role !== 'system' || message.extra?.role !== 'developer') return message;
  mends.add('other-role', `messages[${at}]`, 'The role developer was sent as system.');
  return asSystem(message);
}

/**
 * Gives a developer's message the role `system`, which means the same to OpenAI's models. Chat templates refuse the
 * other role: "Unexpected message role." (Qwen, vllm#42407) or drop the message (sglang#40082).
 */
function asSystem({ extra: { role: _, ...extra } = {}, ...message }: SystemMessage): SystemMessage {
  return Object.keys(extra).length > 0 ? { ...message, extra } : message;
}

/** Mends arguments. `notes` gets what the results of calls must tell, where arguments were lost. */
function mendCalls(
  message: AssistantMessage,
  at: number,
  notes: Map<ToolCall, string>,
  mends: Mends,
): AssistantMessage {
  if (!someOf(message.parts, (part) => part.type === 'tool-call' && needMending(part))) return message;
  const parts = message.parts.map((part, place) => {
    const mended = part.type === 'tool-call' ? mendArguments(part) : undefined;
    if (mended === undefined) return part;
    mends.add(mended.code, partPath(at, place), mended.message);
    if (mended.note !== undefined) notes.set(mended.call, mended.note);
    return mended.call;
  });
  return { ...message, parts };
}
