// Works on items side by side, at most `limit` at once, and gives each result when it is there.

export async function* pooled<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running = new Set<Promise<R>>();
  const ready: R[] = [];
  let at = 0;
  const start = () => {
    const item = items[at++] as T;
    const job: Promise<R> = work(item).finally(() => running.delete(job));
    void job.then(
      (result) => ready.push(result),
      () => {},
    );
    running.add(job);
  };
  while (at < items.length || running.size > 0) {
    while (at < items.length && running.size < limit) start();
    if (running.size > 0) await Promise.race(running);
    yield* ready.splice(0);
  }
  yield* ready.splice(0);
}
