// Many outputs: large ones one after the other, for each keeps all threads busy; small ones several at once, for a
// file of one block keeps only one.

export interface SideBySide<Item, Result> {
  /** How many small ones at once. */
  size: number;
  isSmall(item: Item): boolean;
  run(item: Item, index: number): Promise<Result>;
  /** False: nothing further is begun. */
  goesOn(result: Result): boolean;
}

/** The results in the order of the items, without those that were not begun. */
export async function runSideBySide<Item, Result>(
  items: readonly Item[],
  { size, isSmall, run, goesOn }: SideBySide<Item, Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const running = new Set<Promise<void>>();
  let ended = false;
  for (const [index, item] of items.entries()) {
    const atOnce = isSmall(item) ? size : 1;
    while (running.size >= atOnce) await Promise.race(running);
    if (ended) break;
    const one = run(item, index).then((result) => {
      results[index] = result;
      ended ||= !goesOn(result);
    });
    running.add(one);
    one.finally(() => running.delete(one)).catch(() => {});
    if (!isSmall(item)) await one;
  }
  await Promise.all(running);
  return results.filter((result) => result !== undefined);
}
