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
    return ATTRIBUTES.get(name)?.(this);
  }
}

const ATTRIBUTES = new Map<string, (loop: Loop) => Value>([
  ['index', ({ at }) => BigInt(at + 1)],
  ['index0', ({ at }) => BigInt(at)],
  ['revindex', ({ items, at }) => BigInt(items.length - at)],
  ['revindex0', ({ items, at }) => BigInt(items.length - at - 1)],
  ['first', ({ at }) => at === 0],
  ['last', ({ items, at }) => at === items.length - 1],
  ['length', ({ items }) => BigInt(items.length)],
  ['depth', () => 1n],
  ['depth0', () => 0n],
  ['previtem', ({ items, at }) => orUndefined(items[at - 1], 'there is no previous item')],
  ['nextitem', ({ items, at }) => orUndefined(items[at + 1], 'there is no next item')],
  [
    'cycle',
    ({ at }) =>
      new Callable('cycle', ({ positional }) =>
        orUndefined(positional[at % positional.length], 'no items for cycling given'),
      ),
  ],
  ['changed', ({ changed }) => new Callable('changed', ({ positional }) => changed.next(positional))],
]);

/** Gives the item, which may be None, or Undefined if there is none. */
function orUndefined(item: Value | undefined, message: string): Value {
  return item === undefined ? new Undefined(message) : item;
}
