/** A signal that counts its listeners. */
export function countedSignal(): { aborter: AbortController; signal: AbortSignal; listeners(): number } {
  const aborter = new AbortController();
  const { signal } = aborter;
  const listening = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening.delete(args[1]);
    remove(...args);
  };
  return { aborter, signal, listeners: () => listening.size };
}
