// Ids as the clients of each API expect them, and those a conversation already has.

import type { ApiName, Message } from '../../model/index.js';

export function callPrefix(api: ApiName | undefined): string {
  return api === 'anthropic-messages' ? 'toolu_' : 'call_';
}

export function answerPrefix(api: ApiName | undefined): string {
  if (api === 'anthropic-messages') return 'msg_';
  return api === 'openai-responses' ? 'resp_' : 'chatcmpl-';
}

export function callIds(messages: readonly Message[]): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
  );
}
