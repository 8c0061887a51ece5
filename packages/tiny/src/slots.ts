// Places in the cache for a few sequences. A new one goes on from the longest beginning that any of them has in common
// with it, also from one that is being written: its beginning is copied.

import type { Llama } from './llama.js';

export class Slot {
  /** The tokens whose keys and values are in the cache. */
  tokens: number[] = [];
  isBusy = false;
  usedAt = 0;

  constructor(readonly number: number) {}
}

interface Waiting {
  tokens: readonly number[];
  take(slot: Slot): void;
}

export class Slots {
  readonly #slots: Slot[];
  readonly #waiting: Waiting[] = [];
  #uses = 0;

  constructor(
    readonly llama: Pick<Llama, 'copy'>,
    count: number,
  ) {
    this.#slots = Array.from({ length: count }, (_, number) => new Slot(number));
  }

  /** Gives a slot that holds a beginning of the tokens, but not all of them. Waits until one is free. */
  take(tokens: readonly number[], signal: AbortSignal): Promise<Slot> {
    const slot = this.#prepare(tokens);
    if (slot) return Promise.resolve(slot);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        tokens,
        take: (taken) => {
          signal.removeEventListener('abort', onAbort);
          resolve(taken);
        },
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  release(slot: Slot): void {
    slot.isBusy = false;
    const [next] = this.#waiting;
    const taken = next && this.#prepare(next.tokens);
    if (!taken) return;
    this.#waiting.shift();
    next.take(taken);
  }

  #prepare(tokens: readonly number[]): Slot | undefined {
    const free = this.#slots.filter(({ isBusy }) => !isBusy);
    // The last token is always computed: the next one depends on what comes out.
    const common = new Map(
      this.#slots.map((slot) => [slot, Math.min(shared(slot.tokens, tokens), tokens.length - 1)]),
    );
    const length = (slot: Slot) => common.get(slot) ?? 0;
    const best = this.#slots.reduce((a, b) => (length(b) > length(a) ? b : a));
    // A free slot with the longest beginning, unless most of what it holds would be lost: many conversations begin with
    // the same system text. Else the one that was used longest ago, with a copy of the beginning.
    const goesOn = (slot: Slot) => length(slot) === length(best) && 2 * length(slot) >= slot.tokens.length;
    const chosen =
      free.find((slot) => length(slot) > 0 && goesOn(slot)) ??
      free.toSorted((a, b) => a.usedAt - b.usedAt)[0];
    if (!chosen) return undefined;
    if (length(chosen) < length(best)) {
      this.llama.copy(best.number, chosen.number, length(best));
      chosen.tokens = best.tokens.slice(0, length(best));
    } else chosen.tokens.length = length(chosen);
    chosen.isBusy = true;
    chosen.usedAt = ++this.#uses;
    return chosen;
  }
}

function shared(one: readonly number[], other: readonly number[]): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length++;
  return length;
}
