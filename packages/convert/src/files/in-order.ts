// Converts blocks in parallel and gives the results in order. At most `window` blocks are in progress, including
// finished ones that wait for a slow one before them: this bounds the memory, whatever the input's length.

export interface InOrder<Item, Result> {
  items: AsyncIterable<Item>;
  convert(item: Item): Promise<Result>;
  window: number;
  /** Stops taking items; those in progress are finished. */
  stop: AbortSignal;
}

export async function* inOrder<Item, Result>(
  options: InOrder<Item, Result>,
): AsyncGenerator<{ item: Item; result: Result }> {
  const queue = new Queue<{ item: Item; result: Promise<Result> }>(options.window);
  const end = () => queue.end();
  options.stop.addEventListener('abort', end, { once: true });
  void fill(queue, options);
  try {
    for (let next = await queue.take(); next; next = await queue.take()) {
      yield { item: next.item, result: await next.result };
    }
  } finally {
    options.stop.removeEventListener('abort', end);
    queue.close();
  }
}

/**
 * Fills the queue. Never rejects: errors are rethrown to the consumer. It may wait on a pipe forever, so nothing awaits
 * it.
 */
async function fill<Item, Result>(
  queue: Queue<{ item: Item; result: Promise<Result> }>,
  { items, convert, stop }: InOrder<Item, Result>,
): Promise<void> {
  try {
    for await (const item of items) {
      if (stop.aborted || !(await queue.hasRoom())) break;
      const result = convert(item);
      // The result is awaited later; until then a rejection must not count as unhandled.
      result.catch(() => {});
      queue.put({ item, result });
    }
  } catch (error) {
    // A pipe that was closed in order to stop gives an error.
    if (!stop.aborted) queue.fail(error);
  } finally {
    queue.end();
  }
}

/** A bounded queue with one producer and one consumer; each waits for the other. */
class Queue<T> {
  readonly #entries: T[] = [];
  #state: 'open' | 'ended' | 'closed' = 'open';
  #error: { error: unknown } | undefined;
  #wake: () => void = () => {};
  #changed = this.#nextChange();
  /** Entries that were taken but are still in use: they count, because their memory is still held. */
  #taken = 0;

  constructor(readonly limit: number) {}

  async hasRoom(): Promise<boolean> {
    while (this.#state === 'open' && this.#entries.length + this.#taken >= this.limit) await this.#changed;
    return this.#state === 'open';
  }

  put(entry: T): void {
    this.#entries.push(entry);
    this.#signal();
  }

  async take(): Promise<T | undefined> {
    this.#taken = 0;
    this.#signal();
    while (this.#state === 'open' && this.#entries.length === 0) await this.#changed;
    const entry = this.#entries.shift();
    if (entry === undefined && this.#error) throw this.#error.error;
    this.#taken = entry === undefined ? 0 : 1;
    return entry;
  }

  fail(error: unknown): void {
    this.#error = { error };
  }

  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#signal();
  }

  close(): void {
    this.#state = 'closed';
    this.#signal();
  }

  #signal(): void {
    const wake = this.#wake;
    this.#changed = this.#nextChange();
    wake();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
