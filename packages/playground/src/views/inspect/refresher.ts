// Repeats a fetch, but not too often: one at a time, with a pause after it that grows with its duration.

/** The shortest pause in milliseconds. */
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
    /** Fetches again soon. */
    refresh: () => {
      wanted = true;
      if (!running) void run();
    },
    stop: () => {
      stopped = true;
    },
  };
}
