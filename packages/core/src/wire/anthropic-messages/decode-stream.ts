// Reads an upstream's stream of events.

import type { AnswerEvent } from '../../model/index.js';
import { createSseDecoder, type SseReading } from '../sse.js';
import { decodeInnerError } from '../upstream-error.js';
import { memberOf, numberOf, stringOf } from '../values.js';
import type { StreamDecoder } from '../wire.js';
import { MessageReader } from './message-reader.js';

export function createStreamDecoder(): StreamDecoder {
  return createSseDecoder(new StreamReading());
}

class StreamReading implements SseReading {
  readonly #reader = new MessageReader();
  #over = false;

  read(data: unknown, event: string | undefined): AnswerEvent[] {
    const index = numberOf(data, 'index') ?? 0;
    if (this.#over) return [];
    switch (stringOf(data, 'type') ?? event) {
      case 'message_start':
        return this.#reader.start(memberOf(data, 'message'));
      case 'content_block_start':
        return this.#reader.blockStart(index, memberOf(data, 'content_block'));
      case 'content_block_delta':
        return this.#reader.blockDelta(index, memberOf(data, 'delta'));
      case 'content_block_stop':
        return this.#reader.blockStop(index);
      case 'message_delta':
        this.#reader.messageDelta(memberOf(data, 'delta'), memberOf(data, 'usage'));
        return [];
      case 'message_stop':
        this.#over = true;
        return this.#reader.finish();
      case 'ping':
        return [];
    }
    // An `error` event, or an error without a type.
    return memberOf(data, 'error') === undefined ? [] : [{ type: 'error', error: decodeInnerError(data) }];
  }

  /** Servers of several APIs send it behind `message_stop`. */
  isEnd(data: string): boolean {
    return this.#over && data === '[DONE]';
  }

  end(): { events: AnswerEvent[]; complete: boolean } {
    const complete = this.#over || this.#reader.hasReason;
    return { events: complete && !this.#over ? this.#reader.finish() : [], complete };
  }
}
