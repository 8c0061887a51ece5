// Streams whose clients do not read. Each holds back its upstream and keeps only what was read of it; thousands of them
// together would still fill the memory. Beyond the limit the one that has waited longest is ended.

import type { ServerResponse } from 'node:http';

/** Bytes that a stalled stream holds besides what it could not write: the buffers of its upstream connection. */
const BESIDES = 128 * 1024;

export class StalledStreams {
  /** Ordered by how long they wait: a Map gives its oldest entry first. */
  readonly #bytes = new Map<ServerResponse, number>();
  #held = 0;

  /** `onEnd` is called for each stream that is ended. */
  constructor(
    readonly most: number,
    readonly onEnd: () => void,
  ) {}

  get held(): number {
    return this.#held;
  }

  add(outgoing: ServerResponse): void {
    const bytes = outgoing.writableLength + BESIDES;
    this.#bytes.set(outgoing, bytes);
    this.#held += bytes;
    for (const [oldest] of this.#bytes) {
      if (this.#held <= this.most || oldest === outgoing) break;
      this.remove(oldest);
      oldest.destroy();
      this.onEnd();
    }
  }

  remove(outgoing: ServerResponse): void {
    this.#held -= this.#bytes.get(outgoing) ?? 0;
    this.#bytes.delete(outgoing);
  }
}
