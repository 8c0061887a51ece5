// Works on items side by side, at most `limit` at once, and gives each result when it is there.

export async function* pooled<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running = new Set<Promise<void>>();
  const ready: R[] = [];
  let at = 0;
  const start = () => {
    const item = items[at++] as T;
    const job: Promise<void> = work(item).then((result) => {
      // Both at once: a job that no longer runs has its result here.
      ready.push(result);
      running.delete(job);
    });
    // One that failed stays in `running`, where the next race throws its error.
    job.catch(() => {});
    running.add(job);
  };
  // Jobs also end while a result is taken.
  while (at < items.length || running.size > 0 || ready.length > 0) {
    while (at < items.length && running.size < limit) start();
    if (ready.length === 0) await Promise.race(running);
    yield* ready.splice(0);
  }
}
