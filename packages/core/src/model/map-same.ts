/** Maps a list; gives the list itself where nothing changed, so that what was made of it can be found by its identity. */
export function mapSame<T>(list: readonly T[], change: (item: T, at: number) => T): T[] {
  const changed = list.map(change);
  return changed.every((item, at) => item === list[at]) ? (list as T[]) : changed;
}
