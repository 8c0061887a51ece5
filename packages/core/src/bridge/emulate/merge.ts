// Several streams of events as one, each read only as fast as the whole is read.

interface Arrived<T> {
  iterator: AsyncIterator<T>;
  result?: IteratorResult<T>;
  /** It failed: a thunk, so that any value can be thrown. */
  fail?: () => never;
}

/** One source is given back as it is: a generator around it would cost each event a few turns. */
export function merge<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const [first, ...others] = sources;
  return first && others.length === 0 ? first : mergeAll(sources);
}

async function* mergeAll<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const arrivals = new Arrivals<T>();
  for (const iterator of iterators) arrivals.expect(iterator);
  let open = iterators.length;
  try {
    while (open > 0) {
      const { iterator, result, fail } = await arrivals.next();
      fail?.();
      if (!result || result.done) open--;
      else {
        yield result.value;
        arrivals.expect(iterator);
      }
    }
  } finally {
    // Whoever stops reading stops all of them. One that hangs must not hold up the others.
    for (const iterator of iterators) iterator.return?.()?.catch(() => {});
  }
}

/**
 * What has come and was not taken yet. Each promise is waited on once: racing them for every event would hang a
 * reaction a time on those that are silent, and a failure that nobody waits for yet would have no one to catch it.
 */
class Arrivals<T> {
  readonly #come: Arrived<T>[] = [];
  #wake = () => {};

  expect(iterator: AsyncIterator<T>): void {
    iterator.next().then(
      (result) => this.#add({ iterator, result }),
      (error) =>
        this.#add({
          iterator,
          fail: () => {
            throw error;
          },
        }),
    );
  }

  async next(): Promise<Arrived<T>> {
    for (;;) {
      const first = this.#come.shift();
      if (first) return first;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #add(arrived: Arrived<T>): void {
    this.#come.push(arrived);
    this.#wake();
  }
}
