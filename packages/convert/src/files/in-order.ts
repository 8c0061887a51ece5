// Blocks converted side by side, results given in their order. At most `window` blocks are on the way, counting
// those that are done and wait for a slow one in front: memory is that of the window, whatever the input's length.

export interface InOrder<Item, Result> {
  items: AsyncIterable<Item>;
  convert(item: Item): Promise<Result>;
  window: number;
  /** No further item is taken; those on the way are finished. */
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

/** Never rejects: what goes wrong is told to who takes. It may wait on a pipe for ever, so nobody waits for it. */
async function fill<Item, Result>(
  queue: Queue<{ item: Item; result: Promise<Result> }>,
  { items, convert, stop }: InOrder<Item, Result>,
): Promise<void> {
  try {
    for await (const item of items) {
      if (stop.aborted || !(await queue.hasRoom())) break;
      const result = convert(item);
      // It is awaited when its turn comes; until then a failure is no surprise.
      result.catch(() => {});
      queue.put({ item, result });
    }
  } catch (error) {
    // A pipe that is closed in order to stop says that it was closed.
    if (!stop.aborted) queue.fail(error);
  } finally {
    queue.end();
  }
}

/** One fills, one takes; each waits for the other. */
class Queue<T> {
  readonly #entries: T[] = [];
  #state: 'open' | 'ended' | 'closed' = 'open';
  #error: { error: unknown } | undefined;
  #wake: () => void = () => {};
  #changed = this.#nextChange();
  /** Taken, but not yet done with: it counts, for its memory is still held. */
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
