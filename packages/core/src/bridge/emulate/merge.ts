// Merges several streams of events into one; each is read only as fast as the merged one is (backpressure).

interface Arrived<T> {
  iterator: AsyncIterator<T>;
  result?: IteratorResult<T>;
  /** Throws the error of a source that failed; a function, so that any value can be thrown. */
  fail?: () => never;
}

/** Gives a single source as it is: a generator around it would cost each event a few turns of the event loop. */
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
    // A consumer that stops ends all sources, without waiting for one that hangs.
    for (const iterator of iterators) iterator.return?.()?.catch(() => {});
  }
}

/**
 * Results that arrived and were not taken yet. Each promise gets one reaction: `Promise.race` for every event would add
 * a reaction each time to the sources that are silent, and an early failure would be an unhandled rejection.
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
