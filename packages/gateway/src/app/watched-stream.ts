// A stream of an answer, with a listener for its first byte and its end.

import type { ReplyStream } from '@dragoman/core/bridge';

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
