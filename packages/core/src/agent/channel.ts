// Where what several tools say at once becomes one sequence.

export class Channel<T> implements AsyncIterable<T> {
  private waiting: T[] = [];
  private closed = false;
  private wake: (() => void) | undefined;

  /** How many items nobody has taken yet. */
  get size(): number {
    return this.waiting.length;
  }

  /** What is pushed behind the end is dropped: a tool that was left behind may still speak. */
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
