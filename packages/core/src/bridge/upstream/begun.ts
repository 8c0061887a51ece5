/** Waits for the first item, so that what fails before it fails here. What is given can be iterated once. */
export async function begun<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = items[Symbol.asyncIterator]();
  let first: IteratorResult<T> | undefined = await iterator.next();
  const next = async (): Promise<IteratorResult<T>> => {
    const result = first ?? (await iterator.next());
    first = undefined;
    return result;
  };
  const leave = async (): Promise<IteratorResult<T>> =>
    (await iterator.return?.()) ?? { done: true, value: undefined };
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
}
