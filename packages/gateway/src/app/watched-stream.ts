// A stream of an answer, with a listener for its first byte and its end.

import type { Reply, ReplyStream } from '@dragoman/core/bridge';
import type { AppRequest } from './app-request.js';

interface StreamWatch {
  firstByte(): void;
  /** Called once. `left`: the client disconnected before the end. */
  end(outcome: { left: boolean }): void;
}

export class WatchedStream implements ReplyStream {
  #begun = false;
  #over = false;
  readonly #seen = (text: string | undefined) => {
    if (text === undefined) this.#end(false);
    else if (!this.#begun) {
      this.#begun = true;
      this.watch.firstByte();
    }
    return text;
  };

  constructor(
    readonly stream: ReplyStream,
    readonly watch: StreamWatch,
  ) {}

  get held(): number {
    return this.stream.held ?? 0;
  }

  next(): Promise<string | undefined> {
    return this.stream.next().then(this.#seen);
  }

  cancel(reason: unknown): void {
    if (this.#over) return;
    this.#end(true);
    this.stream.cancel(reason);
  }

  #end(left: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.watch.end({ left });
  }
}

/** Calls `end` once: when the answer has been given, or its client has left. Of a large one the lane keeps the text until then. */
export function untilGiven(reply: Reply, request: AppRequest, end: () => void): Reply {
  const { body } = reply;
  if (typeof body === 'string') {
    end();
    return reply;
  }
  const stream = new WatchedStream(body, { firstByte: () => {}, end });
  request.onLeave((reason) => stream.cancel(reason));
  return { ...reply, body: stream };
}
