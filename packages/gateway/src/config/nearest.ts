// Finds the word for "Did you mean …?"

/** Gives the candidate closest to a misspelt word, if any is near. Case, `-` and `_` are ignored. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), least);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

function plain(word: string): string {
  return word.slice(0, 64).toLowerCase().replaceAll('-', '').replaceAll('_', '');
}

/** Counts insertions, deletions, replacements and swaps of neighbours, up to `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line[column] = Math.min(
        change,
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        swap ? (before[column - 2] ?? 0) + 1 : limit,
      );
    }
    before = above;
    above = line;
  }
  return above[b.length] ?? limit;
}
