// Numbers that a seed fixes: the same seed gives the same conversation.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** From 0 to below `count`. */
  int(count: number): number {
    return Math.floor(this.next() * count);
  }

  between(first: number, last: number): number {
    return first + this.int(last - first + 1);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }

  /** Some different ones, in any order. */
  some<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    const taken: T[] = [];
    while (taken.length < count && rest.length > 0) taken.push(...rest.splice(this.int(rest.length), 1));
    return taken;
  }

  shuffle<T>(list: readonly T[]): T[] {
    return this.some(list, list.length);
  }
}
