// Results without a call before them. Both APIs refuse a conversation that has one, so it is written as a user's text, in the
// words of the bridge.

import {
  type Message,
  resultMedia,
  resultText,
  type ToolResult,
  type UserMessage,
} from '@dragoman/core/internal';
import type { Note } from './form.js';
import { noteLoss } from './losses.js';

/** Gives the same list where every result has its call. */
export function withoutOrphans(messages: readonly Message[], notes: Note[]): readonly Message[] {
  if (!messages.some(({ role }) => role === 'tool')) return messages;
  const ids = new Set<string>();
  let found = false;
  const written = messages.flatMap((message, at): readonly Message[] => {
    for (const part of message.parts) if (part.type === 'tool-call') ids.add(part.id);
    if (message.role !== 'tool' || message.parts.every(({ callId }) => ids.has(callId))) return [message];
    found = true;
    noteLoss(notes, 'orphan-results', `messages[${at}]`);
    const paired = message.parts.filter(({ callId }) => ids.has(callId));
    const orphans = message.parts.filter(({ callId }) => !ids.has(callId)).map(asUser);
    return paired.length > 0 ? [{ ...message, parts: paired }, ...orphans] : orphans;
  });
  return found ? written : messages;
}

function asUser(result: ToolResult): UserMessage {
  const tool = result.name ?? 'a tool';
  const text = `Result of an earlier call of ${tool} that is no longer in this conversation:\n${resultText(result)}`;
  const media = resultMedia(result).map((one) => ({ type: 'media' as const, media: one }));
  return { role: 'user', parts: [{ type: 'text', text }, ...media] };
}
