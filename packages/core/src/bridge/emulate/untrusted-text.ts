// The untrusted text of a conversation, from users and tools: a call that occurs in it word for word was likely copied.

import type { Message } from '../../model/index.js';

export function untrustedText(messages: readonly Message[]): string {
  let all = '';
  // Added and not joined: engines copy the texts only when the whole is searched, which needs a call.
  const add = (text: string) => {
    all += all === '' ? text : `\n${text}`;
  };
  for (const { role, parts } of messages) {
    if (role === 'assistant' || role === 'system') continue;
    for (const part of parts) {
      if (part.type === 'text') add(part.text);
      else if (part.type === 'tool-result' && typeof part.output === 'string') add(part.output);
    }
  }
  return all;
}
