/** Gives the name that differs in the fewest characters, if it is near enough to be a slip. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const one of names.slice(0, MOST)) {
    const apart = Math.abs(one.length - name.length) < least ? distance(name, one) : least;
    if (apart < least) [best, least] = [one, apart];
  }
  return best;
}

const MOST = 200;
const LONGEST = 64;

/** The number of insertions, deletions and replacements between two names. */
function distance(a: string, b: string): number {
  const [from, to] = [a.slice(0, LONGEST), b.slice(0, LONGEST)];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
