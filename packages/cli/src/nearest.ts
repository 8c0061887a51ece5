// "did you mean …?"

/** The candidate a misspelt word most likely stands for, if any is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best ?? (wanted.length > 1 ? candidates.find((one) => one.startsWith(wanted)) : undefined);
}

/** As the end of a sentence: nothing, or `; did you mean --tools?`. */
export function didYouMean(word: string, candidates: readonly string[], prefix = ''): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : `; did you mean ${prefix}${found}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours. Words that cannot be within `limit` cost it. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line[column] = Math.min(
        (above[column] as number) + 1,
        (line[column - 1] as number) + 1,
        (above[column - 1] as number) + (same ? 0 : 1),
        swapped && row > 1 && column > 1 ? (before[column - 2] as number) + 1 : limit,
      );
    }
    before = above;
    above = line;
  }
  return above[b.length] as number;
}
