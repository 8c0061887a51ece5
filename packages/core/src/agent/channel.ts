// Merges the events of tools that run in parallel into one sequence.

export class Channel<T> implements AsyncIterable<T> {
  private waiting: T[] = [];
  private closed = false;
  private wake: (() => void) | undefined;

  /** The number of items that wait for a consumer. */
  get size(): number {
    return this.waiting.length;
  }

  /** Items pushed after the end are dropped: an abandoned tool may still emit progress. */
  push(item: T): void {
    if (this.closed) return;
    this.waiting.push(item);
    this.wake?.();
  }

  close(): void {
    this.closed = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const ready = this.waiting;
      this.waiting = [];
      yield* ready;
      if (this.waiting.length > 0) continue;
      if (this.closed) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
