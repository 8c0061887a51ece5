// Fetches again what changes, and not too often: one fetch at a time, a rest behind it that grows with its cost.

/** Milliseconds. */
const REST = 400;

export function refresher(fetch: () => Promise<void>, rest = REST) {
  let wanted = false;
  let running = false;
  let stopped = false;
  const run = async () => {
    running = true;
    while (wanted && !stopped) {
      wanted = false;
      const began = performance.now();
      await fetch();
      const cost = performance.now() - began;
      await new Promise((resolve) => setTimeout(resolve, Math.max(rest, 3 * cost)));
    }
    running = false;
  };
  return {
    /** Soon. */
    refresh: () => {
      wanted = true;
      if (!running) void run();
    },
    stop: () => {
      stopped = true;
    },
  };
}
