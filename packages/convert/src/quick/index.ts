// The quick ways, and the one place that decides between a quick way and the long one. A quick way handles the common
// rows and gives exactly what the long way gives, every byte and every note (quick-ways.laws.test.ts). For all other rows it
// gives undefined, and the long way is taken.
//
// The gain of each, in processor time a row without and with it, all others on: `npm run bench:quick-ways`. A way that
// gains less than 1.5 on every pair of forms it serves is removed.
//
//   json           openai → anthropic            167 →  92 µs   1.8×    sharegpt → openai           1.6×
//   shared-tools   openai → prompt:hermes        885 → 201 µs   4.4×    messages:glm-4.5 → openai   2.4×
//   taught-tools   prompt:hermes → openai        856 → 276 µs   3.1×
//   answer         messages:hermes → openai      575 → 278 µs   2.1×    messages:glm-4.5 → openai   1.7×
//   messages       openai → messages:hermes      534 → 173 µs   3.1×    openai → messages:glm-4.5   2.7×
//   prompt         openai → prompt:hermes        512 → 195 µs   2.6×    openai → prompt:glm-4.5     1.8×
//   all of them    openai → messages:hermes     1460 → 170 µs   8.6×    prompt:hermes → openai      4.2×
//
// Removed for gaining less: reading a whole row by a guess (1.1 to 1.2), lists of tools at the end of a line (1.0 to
// 1.5, and 0.7 for anthropic's rows), comparing a row that was read with what the quick way writes (1.1).

/** The names of the quick ways. */
export const quickWays = ['json', 'shared-tools', 'taught-tools', 'answer', 'messages', 'prompt'] as const;

export type QuickWay = (typeof quickWays)[number];

let off: ReadonlySet<QuickWay> = new Set();

/** Gives the result of the quick way; if that is undefined, the result of the long way. */
export function quickly<T>(way: QuickWay, quick: () => T | undefined, long: () => T): T {
  return (off.has(way) ? undefined : quick()) ?? long();
}

/** Runs without these quick ways: for the test that compares them with the long ways, and to measure their gain. */
export function withoutQuickWays<T>(ways: readonly QuickWay[], run: () => T): T {
  const before = off;
  off = new Set(ways);
  try {
    return run();
  } finally {
    off = before;
  }
}
