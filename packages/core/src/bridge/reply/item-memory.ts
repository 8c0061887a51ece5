// Items of answers that later requests may name by their id instead of sending them again. A bounded number of them is
// remembered in this process; the oldest go first. Ids are random, so no client can guess another's.

type Item = Record<string, unknown>;

/** Characters of all items together. */
const MAX_SIZE = 16 * 1024 * 1024;

export class ItemMemory {
  readonly #items = new Map<string, { item: Item; size: number }>();
  #size = 0;

  constructor(readonly most: number) {}

  keep(item: Item): void {
    const { id } = item;
    if (this.most === 0 || typeof id !== 'string' || this.#items.has(id)) return;
    const size = JSON.stringify(item).length;
    if (size > MAX_SIZE / 4) return;
    this.#items.set(id, { item, size });
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#items) {
      if (this.#items.size <= this.most && this.#size <= MAX_SIZE) return;
      this.#items.delete(oldest);
      this.#size -= freed;
    }
  }

  find(id: string): Item | undefined {
    return this.#items.get(id)?.item;
  }
}
