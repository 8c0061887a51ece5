// Ctrl-C, or a scheduler that wants its machine back: what is on the way is finished, and the journal written. The
// second time, nothing is waited for; the journal of the last second still holds.

import { EXIT } from './exit-codes.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export function stopOnSignal(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(EXIT.stopped);
    controller.abort();
    // A pipe that says nothing more would keep the process.
    process.stdin.destroy();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    end: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
