// Values that never change, and what is kept of them.

import { describe, expect, it } from 'vitest';
import {
  ConstantMap,
  freezeConstant,
  isConstant,
  makeConstant,
  markConstant,
  onceConstant,
} from './constants.js';

const value = () => ({ a: [1, { b: 'text' }] });

describe('a constant', () => {
  it('is frozen with everything it holds', () => {
    const made = makeConstant(value());
    expect([made, made.a, made.a[1]].every(Object.isFrozen)).toBe(true);
    expect([made, made.a, 'text', null].map(isConstant)).toEqual([true, false, false, false]);
  });

  it('looks like any other value', () => {
    const made = makeConstant(value());
    new ConstantMap<object, string>().set(made, 'kept');
    expect(made).toEqual(value());
    expect(JSON.stringify(made)).toBe(JSON.stringify(value()));
    expect(Reflect.ownKeys(made)).toEqual(['a']);
  });

  it('is not its copy', () => {
    const made = makeConstant(value());
    expect([{ ...made }, structuredClone(made), Object.create(made)].some(isConstant)).toBe(false);
  });

  it('is made once', () => {
    const made = markConstant(makeConstant(value()));
    expect(makeConstant(made)).toBe(made);
    expect(isConstant(made)).toBe(true);
  });

  it('is no value that somebody else froze, or that is too deep', () => {
    const frozen = Object.freeze({ a: [1] });
    let deep: unknown = 1;
    for (let level = 0; level < 3000; level++) deep = [deep];
    expect(
      [makeConstant(frozen), makeConstant(deep as object), freezeConstant(frozen)].some(isConstant),
    ).toBe(false);
    expect(Object.isFrozen(frozen.a)).toBe(false);
  });

  it('may be frozen before', () => {
    const before = freezeConstant(value());
    const map = new ConstantMap<object, string>();
    map.set(before, 'kept');
    expect([Object.isFrozen(before.a[1]), isConstant(before), map.get(before)]).toEqual([
      true,
      false,
      undefined,
    ]);
    makeConstant(before);
    map.set(before, 'kept');
    expect([isConstant(before), map.get(before)]).toEqual([true, 'kept']);
    expect(makeConstant(before)).toBe(before);
    expect(map.get(before)).toBe('kept');
  });
});

describe('what is kept', () => {
  it('is one value for each map', () => {
    const [one, other] = [new ConstantMap<object, number>(), new ConstantMap<object, number>()];
    const made = makeConstant(value());
    one.set(made, 1);
    other.set(made, 2);
    one.set(made, 3);
    expect([one.get(made), other.get(made), one.get(value())]).toEqual([3, 2, undefined]);
  });

  it('is computed once for a constant, and every time for another value', () => {
    let times = 0;
    const once = onceConstant((_: object) => ++times);
    const [made, plain] = [makeConstant(value()), value()];
    expect([once(made), once(made), once(plain), once(plain)]).toEqual([1, 1, 2, 3]);
  });
});
