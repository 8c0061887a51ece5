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
