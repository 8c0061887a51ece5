import { onAbort } from './on-abort.js';

/**
 * What comes, or the reason of the signal if that comes first: not everyone who is waited for listens to it. `late` is
 * given what nobody waits for any more.
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
