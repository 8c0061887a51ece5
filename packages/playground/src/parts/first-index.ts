/** Finds the first of `length` sorted places that is past a goal, by binary search; `length` if none is. */
export function firstIndex(length: number, isPast: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
