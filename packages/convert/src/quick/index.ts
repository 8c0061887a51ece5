// The quick ways, and the one place that decides between a quick way and the long one. A quick way knows the rows that
// almost all are and gives what the long way gives, to the byte and to the note (quick-ways.test.ts); of all others it
// says nothing, and the long way is taken.

/** The names of the quick ways. */
export const quickWays = ['json', 'shared-tools', 'taught-tools', 'answer', 'messages', 'prompt'] as const;

export type QuickWay = (typeof quickWays)[number];

let off: ReadonlySet<QuickWay> = new Set();

/** What the quick way gives; where it says nothing, what the long way gives. */
export function quickly<T>(way: QuickWay, quick: () => T | undefined, long: () => T): T {
  return (off.has(way) ? undefined : quick()) ?? long();
}

/** Runs without these quick ways: for the law that holds them to the long ways, and to measure what they gain. */
export function withoutQuickWays<T>(ways: readonly QuickWay[], run: () => T): T {
  const before = off;
  off = new Set(ways);
  try {
    return run();
  } finally {
    off = before;
  }
}
