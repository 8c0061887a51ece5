import { onAbort } from './on-abort.js';

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
