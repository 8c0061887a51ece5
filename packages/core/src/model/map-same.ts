// Lists by the identity of their items.

/** Maps a list; gives the list itself where nothing changed, so that what was made of it can be found by its identity. */
export function mapSame<T>(list: readonly T[], change: (item: T, at: number) => T): T[] {
  const changed = list.map(change);
  return sameItems(changed, list) ? (list as T[]) : changed;
}

/** Whether both lists hold the same objects in the same order. */
export function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}
