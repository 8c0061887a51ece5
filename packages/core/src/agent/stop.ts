// Waiting with an abort signal or a time limit.

/** A timer of JavaScript cannot wait longer than this: about 25 days. */
const LONGEST = 2_147_483_647;

/** Awaits the promise, or gives undefined as soon as the signal is aborted. The promise is then abandoned. */
export function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).then(() => signal.removeEventListener('abort', stop));
  });
}

/** Iterates until the end or until the signal is aborted. On abort the producer is told to return, not awaited. */
export async function* itemsUntilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  let open = true;
  try {
    for (;;) {
      const next = await orAborted(iterator.next(), signal);
      if (next?.done) open = false;
      if (next === undefined || next.done) return;
      yield next.value;
    }
  } catch (error) {
    open = false;
    throw error;
  } finally {
    if (open) Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** Awaits the promise, or gives undefined when the time is up. */
export async function orTimeUp<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const controller = new AbortController();
  const stop = afterTime(milliseconds, () => controller.abort());
  try {
    return await orAborted(promise, controller.signal);
  } finally {
    stop();
  }
}

/** Runs `act` once after this time, unless what it gives back is called before. `Infinity` is never. */
export function afterTime(milliseconds: number, act: () => void): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
  const timer = setTimeout(act, Math.min(milliseconds, LONGEST));
  return () => clearTimeout(timer);
}

/** A controller that is aborted with the signal. `release` must be called, for signals may live for days. */
export function linkedController(
  signal: AbortSignal | undefined,
  controller = new AbortController(),
): { controller: AbortController; release(): void } {
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return { controller, release: () => signal?.removeEventListener('abort', abort) };
}
