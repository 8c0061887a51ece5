// Answers whose clients do not read. A stream holds back its upstream and keeps only what was read of it, a whole answer
// is kept in full; thousands of them together would fill the memory. Beyond the limit the one that has waited longest is
// ended.

import type { ServerResponse } from 'node:http';

/**
 * Bytes that a stalled stream holds besides what it could not write, about: a read of its upstream, texts of it, its
 * objects. It may be 160 KB while an event of 16 KB is in work.
 */
export const STALLED_STREAM_BYTES = 128 * 1024;

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

  /** `behind`: what is held of the stream besides, for later pieces. */
  add(outgoing: ServerResponse, behind = 0): void {
    this.#hold(outgoing, outgoing.writableLength + STALLED_STREAM_BYTES + behind);
  }

  /** Counts what is left of an answer that has ended, until the client has read it or disconnects. */
  addEnded(outgoing: ServerResponse): void {
    if (!outgoing.writableEnded || outgoing.writableFinished || outgoing.destroyed) return;
    // What the system has taken at once is not in this process any more.
    const bytes = outgoing.writableLength;
    if (bytes === 0) return;
    const over = () => this.remove(outgoing);
    outgoing.once('finish', over).once('close', over);
    this.#hold(outgoing, bytes);
  }

  #hold(outgoing: ServerResponse, bytes: number): void {
    this.remove(outgoing);
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
