// Lists that may be frozen, as those of constants are: the engine's own methods take ten times as long on them.

export function someOf<T>(list: readonly T[], test: (item: T) => boolean): boolean {
  for (const item of list) if (test(item)) return true;
  return false;
}

export function everyOf<T>(list: readonly T[], test: (item: T) => boolean): boolean {
  return !someOf(list, (item) => !test(item));
}

/** Gives the parts of one type. */
export function ofType<P extends { type: string }, T extends P['type']>(
  parts: readonly P[],
  type: T,
): Extract<P, { type: T }>[] {
  const found: Extract<P, { type: T }>[] = [];
  for (const part of parts) if (part.type === type) found.push(part as Extract<P, { type: T }>);
  return found;
}
