// Measures the cost of work relative to other work that runs in turns with it. Other load on the machine can only make
// work look slower: so the least of several runs is the cost, and work that looks too slow is measured again, for
// seconds, before the test fails. Both kinds of runs last about as long: on a busy machine a short one may run through
// where a long one is always interrupted.

const PATIENCE = 10_000;
/** Work that costs less than this part of the limit in the first run is not measured again. */
const SURE = 0.7;
/** Milliseconds. Shorter times are below the precision of the clock, and fast enough. */
const NOTHING = 1;

/**
 * How many times what `known` costs `work` costs. `known` is done so many times in a row, to last about as long.
 * Stops to measure once it is below the limit, or after ten seconds.
 */
export function timesTheCost(
  work: () => unknown,
  known: () => unknown,
  { limit, inARow = 1 }: { limit: number; inARow?: number },
): number {
  const row = () => {
    for (let n = 0; n < inARow; n++) known();
  };
  let [dear, cheap] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const ratio = () => (inARow * dear) / Math.max(cheap, NOTHING);
  const end = performance.now() + PATIENCE;
  for (let take = 1; ; take++) {
    cheap = Math.min(cheap, timeOf(row));
    dear = Math.min(dear, timeOf(work));
    const isClear = take < 3 ? ratio() < SURE * limit : ratio() < limit;
    if (isClear || performance.now() > end) return ratio();
  }
}

/**
 * How many times longer twice the work takes: the mean of three doublings, since garbage collection may
 * distort one of them.
 */
export function growthOf(eightTimes: () => unknown, once: () => unknown, limit: number): number {
  return Math.cbrt(timesTheCost(eightTimes, once, { limit: limit ** 3, inARow: 8 }));
}

/** The least time, in milliseconds, in ten takes at most, or the first below the limit. */
export function leastTime(work: () => unknown, limit: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let take = 0; take < 10 && least >= limit; take++) least = Math.min(least, timeOf(work));
  return least;
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
