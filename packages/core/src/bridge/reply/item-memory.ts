// Items of answers that clients of the Responses API name by their id instead of sending them again, as the AI SDK
// does unless it is told `store: false`. A bounded number of them is remembered in this process; the oldest go
// first. Ids are random, so no client can guess another's.

import { isObject } from '../../model/index.js';

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

  /** The body with what it names in the place of the names. What is not remembered stays a name. */
  resolve(body: unknown): unknown {
    if (!isObject(body) || !Array.isArray(body.input) || !body.input.some(isReference)) return body;
    const input = body.input.map((item) =>
      isReference(item) ? (this.#items.get(item.id)?.item ?? item) : item,
    );
    return { ...body, input };
  }
}

function isReference(item: unknown): item is { id: string } {
  return isObject(item) && item.type === 'item_reference' && typeof item.id === 'string';
}
