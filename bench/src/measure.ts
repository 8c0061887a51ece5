// Measures time on a busy machine: CPU of the whole process (garbage collection included), arms in turn, the best of
// several rounds. Only ratios within one run are judged. No collection is forced in between: it discards optimised
// code, and the next round would measure the compiler.

/** CPU spent so far, in milliseconds. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

let sink = 0;

/** Gives the CPU of one run in milliseconds. Its result is used, so that the compiler cannot drop the work. */
export function cpuOf(run: () => number): number {
  const start = cpuNow();
  sink += run();
  return cpuNow() - start;
}

/** The same for an asynchronous run. */
export async function cpuOfAsync(run: () => Promise<number>): Promise<number> {
  const start = cpuNow();
  sink += await run();
  return cpuNow() - start;
}

/** A checksum of everything that was read. It is part of the results, so that the reading cannot be optimised away. */
export const checksum = () => sink;

export type Arm = () => number;

/** The best CPU of each arm. Arms take turns, forwards and backwards, so that a slow moment hits all of them. */
export function race<K extends string>(arms: Record<K, Arm>, rounds: number): Record<K, number> {
  const names = Object.keys(arms) as K[];
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<K, number>;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 ? names.toReversed() : names)
      best[name] = Math.min(best[name], cpuOf(arms[name]));
  }
  return best;
}

/** Arms in turn for some milliseconds, at least once each; `best` keeps the best of each. */
export function raceFor<K extends string>(
  arms: Record<K, Arm>,
  best: Record<K, number>,
  least: number,
): void {
  const names = Object.keys(arms) as K[];
  for (const start = cpuNow(); ; ) {
    for (const name of names) best[name] = Math.min(best[name], cpuOf(arms[name]));
    if (cpuNow() - start >= least) return;
  }
}

/** One run, or as many as it takes to spend `least` milliseconds; CPU of one. */
export function cpuOfEnough(run: Arm, least: number): number {
  const start = cpuNow();
  for (let runs = 1; ; runs++) {
    sink += run();
    const spent = cpuNow() - start;
    if (spent >= least) return spent / runs;
  }
}

/** Measures again, up to three times, while the result is over its limit: noise only ever adds. */
export function upToThrice<T>(measure: () => T, isFine: (result: T) => boolean): T {
  let result = measure();
  for (let tries = 1; tries < 3 && !isFine(result); tries++) result = measure();
  return result;
}

/** The middle value; of two, the upper one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
