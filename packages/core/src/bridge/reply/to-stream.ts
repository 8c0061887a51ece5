/** A web stream of what is iterated, read only as fast as someone reads it. `onCancel`: the reader has left. */
export function toStream<T>(items: AsyncIterable<T>, onCancel = () => {}): ReadableStream<T> {
  const iterator = items[Symbol.asyncIterator]();
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        onCancel();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
