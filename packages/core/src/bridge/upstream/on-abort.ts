// Callbacks on a signal that may outlive them, such as one that ends a whole server. Each signal gets one listener for
// all its callbacks: Node warns of a leak at the eleventh listener.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back when the signal is aborted; at once if it already is. Gives a function that removes the callback. */
export function onAbort(signal: AbortSignal, tell: () => void): () => void {
  if (signal.aborted) {
    tell();
    return () => {};
  }
  const told = waiting.get(signal) ?? listen(signal);
  told.add(tell);
  return () => told.delete(tell);
}

function listen(signal: AbortSignal): Set<() => void> {
  const told = new Set<() => void>();
  waiting.set(signal, told);
  const tellAll = () => {
    for (const tell of told) tell();
    told.clear();
  };
  signal.addEventListener('abort', tellAll, { once: true });
  return told;
}

/**
 * Resolves with the promise, or rejects with the signal's reason if that comes first: not every promise ends when the
 * signal is aborted. `late` is called with a value that arrives after the abort.
 */
export function unlessAborted<T>(
  coming: Promise<T>,
  signal: AbortSignal,
  late: (value: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const letGo = onAbort(signal, () => {
      coming.then(late).catch(() => {});
      reject(signal.reason);
    });
    coming.then(resolve, reject).then(letGo);
  });
}

/** Aborted by another signal as well, until `letGo`. `AbortSignal.any` cannot let go, and costs ten times as much. */
export class LinkedAborter {
  readonly #own = new AbortController();
  /** Stops listening to the other signal. */
  readonly letGo: () => void;

  constructor(parent: AbortSignal) {
    this.letGo = onAbort(parent, () => this.#own.abort(parent.reason));
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  abort(reason: unknown): void {
    this.#own.abort(reason);
  }
}
