// The untrusted text of a conversation, from users and tools: a call that occurs in it word for word was likely copied.

import type { Message } from '../../model/index.js';

export function untrustedText(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const { role, parts } of messages) {
    if (role === 'assistant' || role === 'system') continue;
    for (const part of parts) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'tool-result' && typeof part.output === 'string') texts.push(part.output);
    }
  }
  return texts.join('\n');
}
