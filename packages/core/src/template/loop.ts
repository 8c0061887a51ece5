// What a loop's body knows as `loop`.

import { Callable, isEqual, Struct, Tuple, Undefined, type Value } from './python.js';
import type { Work } from './work.js';

/** What `loop.changed` remembers from one pass to the next. */
export class Changed {
  #last: Tuple | undefined;
  constructor(readonly work: Work) {}

  next(values: Value[]): boolean {
    const now = new Tuple(values);
    const same = this.#last !== undefined && isEqual(this.#last, now, this.work);
    this.#last = now;
    return !same;
  }
}

/** Made at every pass, asked for little: so each answer is made when it is asked for. */
export class Loop extends Struct {
  override readonly kind = 'LoopContext';
  constructor(
    readonly items: readonly Value[],
    readonly at: number,
    readonly changed: Changed,
  ) {
    super();
  }

  override get(name: string): Value | undefined {
    const { items, at } = this;
    switch (name) {
      case 'index':
        return BigInt(at + 1);
      case 'index0':
        return BigInt(at);
      case 'revindex':
        return BigInt(items.length - at);
      case 'revindex0':
        return BigInt(items.length - at - 1);
      case 'first':
        return at === 0;
      case 'last':
        return at === items.length - 1;
      case 'length':
        return BigInt(items.length);
      case 'depth':
        return 1n;
      case 'depth0':
        return 0n;
      case 'previtem':
        return orUndefined(items[at - 1], 'there is no previous item');
      case 'nextitem':
        return orUndefined(items[at + 1], 'there is no next item');
      case 'cycle':
        return new Callable(name, ({ positional }) =>
          orUndefined(positional[at % positional.length], 'no items for cycling given'),
        );
      case 'changed':
        return new Callable(name, ({ positional }) => this.changed.next(positional));
      default:
        return undefined;
    }
  }
}

/** An item, which may be None, or nothing. */
function orUndefined(item: Value | undefined, message: string): Value {
  return item === undefined ? new Undefined(message) : item;
}
