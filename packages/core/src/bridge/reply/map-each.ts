/**
 * Each item as `map` makes it. A plain iterator: as a generator it would cost an item three turns of the queue in the
 * place of one.
 */
export function mapEach<T, R>(items: AsyncIterable<T>, map: (item: T) => R): AsyncIterable<R> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]();
      const mapped = (result: IteratorResult<T>): IteratorResult<R> => {
        if (result.done) return { done: true, value: undefined };
        try {
          return { done: false, value: map(result.value) };
        } catch (error) {
          // Nobody reads on behind an error, and whoever is read from is to know.
          iterator.return?.().catch(() => {});
          throw error;
        }
      };
      return {
        next: () => iterator.next().then(mapped),
        async return() {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
