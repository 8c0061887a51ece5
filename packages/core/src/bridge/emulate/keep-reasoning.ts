// Which reasoning of earlier answers a model gets back. Vendors' templates keep it within a tool loop, where the model
// goes on with what it began, and drop that of turns before the last user message.

import type { Dialect } from '../../engine/dialect.js';
import { lastIndexOf, textOf } from '../../engine/message-text.js';
import { someOf } from '../../model/frozen-lists.js';
import { copyWritten, type Message, type ModelRequest } from '../../model/index.js';
import type { Upstream } from '../upstream/upstream.js';

export interface KeptReasoning<R extends ModelRequest> {
  /** The request without the reasoning that the model does not get. */
  request: R;
  /** What the report lists as ignored: one entry at most. */
  ignored: string[];
}

/**
 * Leaves out reasoning that the dialect's template does not keep, or that the dialect cannot spell. A whole prompt
 * (`takes: prompt`) is written by the template itself, so there it is only listed.
 */
export function keepReasoning<R extends ModelRequest>(
  request: R,
  dialect: Dialect,
  takes: Upstream['takes'],
): KeptReasoning<R> {
  const { conversation } = request;
  const from = keptFrom(request, dialect, takes);
  const dropped = conversation.messages.findLastIndex((message, at) => at < from && hasReasoning(message));
  if (dropped < 0) return { request, ignored: [] };
  const { messages } = conversation;
  const ignored = [dropped > turnStart(messages, takes) ? 'reasoning' : 'reasoning of earlier turns'];
  if (takes === 'prompt') return { request, ignored };
  const kept = messages.map((message, at) => (at < from ? withoutReasoning(message) : message));
  return { request: { ...request, conversation: { ...conversation, messages: kept } }, ignored };
}

/** Whether the answers since the last user message have reasoning. */
export function reasonsInLoop(messages: readonly Message[]): boolean {
  return messages.slice(loopStart(messages) + 1).some(hasReasoning);
}

/**
 * Moves a note of ours from behind the results of a tool loop into the user message that began it: a vendor's template
 * would take the note for a new turn, and drop the reasoning of the loop.
 */
export function noteBeforeLoop(noted: Message[], given: readonly Message[]): Message[] {
  const start = lastIndexOf(given, 'user');
  const [user, note] = [noted[start], noted.at(-1)];
  const isAdded = noted.length > given.length && note?.role === 'user';
  if (!isAdded || !isBehindResults(given, given.length) || user?.role !== 'user' || !reasonsInLoop(given))
    return noted;
  const parts = [...user.parts, { type: 'text' as const, text: `\n\n${textOf(note)}` }];
  return noted.slice(0, -1).map((message, at) => (at === start ? { ...user, parts } : message));
}

/** Gives the index of the first message whose reasoning is kept. */
function keptFrom(
  { conversation: { messages }, settings }: ModelRequest,
  { traits: { reasoning } }: Dialect,
  takes: Upstream['takes'],
): number {
  const { kept = 'last', ifThinking = false } = reasoning ?? { kept: 'none' };
  const drops = takes === 'prompt' && ifThinking && settings.thinking !== true;
  if (kept === 'none' || drops) return messages.length;
  return kept === 'all' ? 0 : turnStart(messages, takes) + 1;
}

/** Gives the index of the message after which reasoning is kept. To a vendor's template every user message is one. */
function turnStart(messages: readonly Message[], takes: Upstream['takes']): number {
  return takes === 'prompt' ? lastIndexOf(messages, 'user') : loopStart(messages);
}

/**
 * Gives the index of the user message that began the last tool loop; -1 if there is none. Text behind results does not
 * begin another one: agents add reminders to them.
 */
export function loopStart(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }, at) => role === 'user' && !isBehindResults(messages, at));
}

/** Whether results come before this place, perhaps with system messages between. Those say nothing about turns. */
function isBehindResults(messages: readonly Message[], at: number): boolean {
  let before = at - 1;
  while (messages[before]?.role === 'system') before--;
  return messages[before]?.role === 'tool';
}

function hasReasoning(message: Message): boolean {
  return (
    message.role === 'assistant' &&
    someOf(message.parts, (part) => part.type === 'reasoning' && part.text.trim() !== '')
  );
}

function withoutReasoning(message: Message): Message {
  if (message.role !== 'assistant' || !hasReasoning(message)) return message;
  const parts = message.parts.filter((part) => part.type !== 'reasoning');
  return copyWritten(message, { ...message, parts });
}
