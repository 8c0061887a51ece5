// Several streams of events as one, each read only as fast as the whole is read.

export async function* merge<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const waiting = new Map(iterators.map((iterator, at) => [at, next(iterator, at)]));
  try {
    while (waiting.size > 0) {
      const { at, result } = await Promise.race(waiting.values());
      const iterator = iterators[at];
      if (result.done || !iterator) waiting.delete(at);
      else {
        waiting.set(at, next(iterator, at));
        yield result.value;
      }
    }
  } finally {
    // Whoever stops reading stops all of them. One that hangs must not hold up the others.
    for (const pending of waiting.values()) pending.catch(() => {});
    for (const iterator of iterators) iterator.return?.()?.catch(() => {});
  }
}

async function next<T>(
  iterator: AsyncIterator<T>,
  at: number,
): Promise<{ at: number; result: IteratorResult<T> }> {
  return { at, result: await iterator.next() };
}
