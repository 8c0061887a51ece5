// Calls and results find each other. Where every one has an id, which is almost always, only names are filled in;
// else the model's own way, and what it made is noted.

import { linkCalls, type Message } from '@dragoman/core/internal';

import type { Note } from './form.js';
import { callNames } from './losses.js';

/** Changes the messages it is given. */
export function linkMessages(messages: Message[], notes: Note[]): Message[] {
  const missing = pathsWithoutIds(messages);
  for (const path of missing) notes.push({ kind: 'repair', code: 'missing-id', path });
  if (missing.length > 0) return linkCalls(messages);
  let names: Map<string, string> | undefined;
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    names ??= callNames(messages);
    for (const part of message.parts) {
      const name = part.name ?? names.get(part.callId);
      if (name !== undefined) part.name = name;
    }
  }
  return messages;
}

function pathsWithoutIds(messages: readonly Message[]): string[] {
  const paths: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.parts) {
      const bare =
        (part.type === 'tool-call' && part.id === '') || (part.type === 'tool-result' && part.callId === '');
      if (bare) paths.push(`messages[${at}]`);
    }
  }
  return paths;
}
