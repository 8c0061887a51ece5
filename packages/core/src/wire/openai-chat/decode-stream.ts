// Reads an upstream's stream. It is complete if every choice has a finish reason, or if `[DONE]` came after a choice.

import { createSseDecoder } from '../sse.js';
import type { StreamDecoder } from '../wire.js';
import { ChatReader } from './chat-reader.js';

export function createStreamDecoder(): StreamDecoder {
  const reader = new ChatReader();
  let done = false;
  return createSseDecoder({
    read: (chunk) => reader.read(chunk),
    isEnd(data) {
      const end = data.startsWith('[DONE]');
      done ||= end;
      return end;
    },
    end: () => reader.end(done),
  });
}
