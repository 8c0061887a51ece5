// The variable `loop` inside a loop's body.

import { Callable, isEqual, Struct, Tuple, Undefined, type Value } from './python.js';
import type { Work } from './work.js';

/** The last values of `loop.changed`, kept between iterations. */
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

/** The `loop` of one iteration. Attributes are computed on access, because templates use few of them. */
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

/** Gives the item, which may be None, or Undefined if there is none. */
function orUndefined(item: Value | undefined, message: string): Value {
  return item === undefined ? new Undefined(message) : item;
}
